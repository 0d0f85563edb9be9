import type { GridItem } from '../../../lib/items/gridItem.ts';
import type { GridLayout } from './justifiedRows.ts';

/** Contents of one row. The lists have the same length. */
export interface RowContents {
  readonly items: readonly GridItem[];
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
}

/** Slices a layout into rows. Returns the same object for the same range, so that memoized rows do not render again. */
export const makeRowContents = (
  layout: GridLayout,
  itemAt: (index: number) => GridItem,
): ((first: number, end: number) => RowContents) => {
  const cache = new Map<number, RowContents>();
  return (first, end) => {
    const before = cache.get(first);
    if (before !== undefined && before.items.length === end - first) return before;
    const contents = {
      items: Array.from({ length: end - first }, (_, offset) => itemAt(first + offset)),
      lefts: Array.from({ length: end - first }, (_, offset) => layout.lefts[first + offset] ?? 0),
      widths: Array.from({ length: end - first }, (_, offset) => layout.widths[first + offset] ?? 0),
    };
    cache.set(first, contents);
    return contents;
  };
};
