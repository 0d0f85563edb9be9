import type { RowSize } from './justifiedRows.ts';

/** Between two pictures, in CSS pixels: `--grid-gap`. */
const gap = 4;

/** How rows of pictures are fitted to a width: two or three pictures beside one another on a phone, six or seven on a desk. */
export const rowSizeFor = (width: number): RowSize => ({
  width,
  gap,
  targetHeight: Math.round(Math.min(240, 88 + width * 0.08)),
});
