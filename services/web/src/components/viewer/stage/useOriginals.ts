import { useState } from 'react';
import type { ViewedItem } from '../item/viewedItem.ts';

/** The kinds of files that every browser shows. */
const shownEverywhere: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
]);

/** The kinds that some browsers show, Safari for one. TIFF is not among them: most browsers would fetch 100 MB in vain. */
const shownBySome: ReadonlySet<string> = new Set(['image/heic', 'image/heif', 'image/jxl']);

/** What visitors of a shared album are given has no kind that we know before it comes. */
const unknownKind = '';

/** Which originals can stand for their previews when more pixels are needed. */
export interface Originals {
  /** The link to the item's original; undefined where this browser does not show it. */
  readonly urlOf: (item: ViewedItem | undefined) => string | undefined;
  /** Takes note that the original did not come; answers whether that was to be expected of its kind, of which none is then asked for any more. */
  readonly refuse: (item: ViewedItem) => boolean;
}

/** Tries the originals of kinds that some browsers show, until this one has refused one of them. */
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

/** Whether this browser is asked by trying. */
function isTried(kind: string): boolean {
  return kind === unknownKind || shownBySome.has(kind);
}
