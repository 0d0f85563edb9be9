import type { SearchReason } from '@hearth/contract/search.ts';
import type { TFunction } from 'i18next';
import { categories, isListed } from './address/searchAddress.ts';
import { nameOfDays } from './address/spans.ts';

/**
 * Why a search has found an item, in the words of the page: `Dog, “SIASCONSET” in the picture, Berlin, looks like your words`. Undefined where nothing
 * can be told; file names come last, and what this version does not know is passed over.
 */
export const describeReasons = (
  reasons: readonly SearchReason[],
  t: TFunction<'search'>,
  language: string,
): string | undefined => {
  // File names are long, and tell the least.
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
      return from === undefined && to === undefined ? value : nameOfDays({ from, to }, t, language);
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

/** What says as it is what something must be called or be; of such words nobody asks what they look like. */
const naming: ReadonlySet<string> = new Set(['person', 'place', 'camera', 'date', 'type', 'category', 'favourite']);

/** Whether words of a search may have meant what pictures look like: not all of them were names and times in each of the items that it has found. */
export const mayMeanLooks = (found: readonly { readonly reasons: readonly SearchReason[] }[]): boolean =>
  found.length === 0 ||
  found.some(({ reasons }) => reasons.some(({ kind, words }) => words.length > 0 && !naming.has(kind)));
