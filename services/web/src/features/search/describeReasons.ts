import type { SearchReason } from '@hearth/contract/search.ts';
import type { TFunction } from 'i18next';
import { categories, isListed } from './address/searchAddress.ts';
import { formatDays } from './address/dateSpans.ts';

/**
 * Describes why a search matched an item: `Dog, “SIASCONSET” in the picture, Berlin, similar content`. Returns undefined
 * without a known reason. File names come last.
 */
export const describeReasons = (
  reasons: readonly SearchReason[],
  t: TFunction<'search'>,
  language: string,
): string | undefined => {
  // File names are long and the least informative.
  const ordered = [
    ...reasons.filter(({ kind }) => kind !== 'filename'),
    ...reasons.filter(({ kind }) => kind === 'filename'),
  ];
  const parts = ordered.map((reason) => describe(reason, t, language)).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : [...new Set(parts)].join(', ');
};

function describe(reason: SearchReason, t: TFunction<'search'>, language: string): string | undefined {
  const { kind, value, from, to } = reason;
  switch (kind) {
    case 'person':
    case 'place':
    case 'thing':
    case 'camera':
      return value;
    case 'album':
    case 'filename':
    case 'description':
    case 'text':
      return value === undefined ? undefined : t(`reason.${kind}`, { value });
    case 'date':
      return from === undefined && to === undefined ? value : formatDays({ from, to }, t, language);
    case 'type':
      return value === 'PHOTO' || value === 'VIDEO' ? t(`reason.${value}`) : undefined;
    case 'category':
      return isListed(categories, value) ? t(`category.${value}`) : undefined;
    case 'favourite':
    case 'meaning':
      return t(`reason.${kind}`);
    default:
      return undefined;
  }
}

/** Kinds of matches on names and facts. Their words do not describe what a picture looks like. */
const nameKinds: ReadonlySet<string> = new Set(['person', 'place', 'camera', 'date', 'type', 'category', 'favourite']);

/**
 * Returns whether the query may describe what pictures look like: true without results, or if a word matched something
 * other than `nameKinds`.
 */
export const mayDescribePictures = (found: readonly { readonly reasons: readonly SearchReason[] }[]): boolean =>
  found.length === 0 ||
  found.some(({ reasons }) => reasons.some(({ kind, words }) => words.length > 0 && !nameKinds.has(kind)));
