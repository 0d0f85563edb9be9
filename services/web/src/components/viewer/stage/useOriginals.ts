import { useState } from 'react';
import type { ViewedItem } from '../item/viewedItem.ts';

/** Types that every browser supports. */
const shownEverywhere: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
]);

/** Types that some browsers support, such as Safari. Excludes TIFF: most browsers would download 100 MB in vain. */
const shownBySome: ReadonlySet<string> = new Set(['image/heic', 'image/heif', 'image/jxl']);

/** Visitors of a shared album do not receive the type. */
const unknownKind = '';

/** Originals that this browser can show instead of previews when the zoom needs more pixels. */
export interface Originals {
  /** Returns the link to the original, or undefined if this browser cannot show it. */
  readonly urlOf: (item: ViewedItem | undefined) => string | undefined;
  /**
   * Records that an original failed to load. Returns whether its type may be unsupported; no more originals of that
   * type are then requested.
   */
  readonly refuse: (item: ViewedItem) => boolean;
}

/** Tries originals of partially supported types until one of that type fails. */
export const useOriginals = (): Originals => {
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  return {
    urlOf: (item) => {
      if (item === undefined) return undefined;
      const kind = kindOf(item);
      return shownEverywhere.has(kind) || (isTried(kind) && !refused.has(kind)) ? item.sourceUrl : undefined;
    },
    refuse: (item) => {
      const kind = kindOf(item);
      if (!isTried(kind)) return false;
      setRefused(new Set([...refused, kind]));
      return true;
    },
  };
};

function kindOf(item: ViewedItem): string {
  return item.mimeType ?? unknownKind;
}

/** True for types that not all browsers support. */
function isTried(kind: string): boolean {
  return kind === unknownKind || shownBySome.has(kind);
}
