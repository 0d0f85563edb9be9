import { useState } from 'react';
import type { ViewedItem } from '../item/viewedItem.ts';

/** Types that every browser supports. */
const supportedEverywhere: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
]);

/**
 * Types that some browsers support, such as Safari. Excludes TIFF: most browsers would download 100 MB that they cannot
 * show.
 */
const supportedBySome: ReadonlySet<string> = new Set(['image/heic', 'image/heif', 'image/jxl']);

/** Visitors of a shared album do not receive the type. */
const unknownMimeType = '';

/** Originals that this browser can show instead of previews when the zoom needs more pixels. */
export interface Originals {
  /** Returns the link to the original, or undefined if this browser cannot show it. */
  readonly getUrl: (item: ViewedItem | undefined) => string | undefined;
  /**
   * Records that an original failed to load. Returns whether its type may be unsupported; no more originals of that
   * type are then requested.
   */
  readonly markUnsupported: (item: ViewedItem) => boolean;
}

/** Tries originals of partially supported types until one of that type fails. */
export const useOriginals = (): Originals => {
  const [unsupported, setUnsupported] = useState<ReadonlySet<string>>(new Set());
  return {
    getUrl: (item) => {
      if (item === undefined) return undefined;
      const mimeType = getMimeType(item);
      return supportedEverywhere.has(mimeType) || (isWorthTrying(mimeType) && !unsupported.has(mimeType))
        ? item.sourceUrl
        : undefined;
    },
    markUnsupported: (item) => {
      const mimeType = getMimeType(item);
      if (!isWorthTrying(mimeType)) return false;
      setUnsupported(new Set([...unsupported, mimeType]));
      return true;
    },
  };
};

function getMimeType(item: ViewedItem): string {
  return item.mimeType ?? unknownMimeType;
}

/** True for types that not all browsers support. */
function isWorthTrying(mimeType: string): boolean {
  return mimeType === unknownMimeType || supportedBySome.has(mimeType);
}
