import type { GridLayout, GridRow } from '../layout/justifiedRows.ts';

export const movingKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const;
export type MovingKey = (typeof movingKeys)[number];

export const isMovingKey = (key: string): key is MovingKey => (movingKeys as readonly string[]).includes(key);

/** Returns the index of the last row with `start(row) <= value`, or 0. Rows are in ascending order of `start`. */
export const findLastRow = <Row>(rows: readonly Row[], value: number, start: (row: Row) => number): number => {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = rows[middle];
    if (row !== undefined && start(row) <= value) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
};

export const getRow = (layout: GridLayout, index: number): number =>
  findLastRow(layout.rows, index, (row) => row.first);

/** Returns the rows that overlap a vertical range, as [first, end). */
export const listRowsBetween = (rows: readonly GridRow[], from: number, to: number): readonly [number, number] => {
  if (rows.length === 0) return [0, 0];
  const first = findLastRow(rows, from, (row) => row.top);
  return [first, Math.max(first, findLastRow(rows, to, (row) => row.top) + 1)];
};

/** Returns the item index that a key moves to, `before` the first row, or `after` the last. */
export const moveInGrid = (layout: GridLayout, index: number, key: MovingKey): number | 'before' | 'after' => {
  const row = getRow(layout, index);
  switch (key) {
    case 'ArrowLeft':
      return index === 0 ? 'before' : index - 1;
    case 'ArrowRight':
      return index + 1 >= layout.lefts.length ? 'after' : index + 1;
    case 'Home':
      return layout.rows[row]?.first ?? index;
    case 'End':
      return (layout.rows[row]?.end ?? index + 1) - 1;
    case 'ArrowUp':
      return row === 0 ? 'before' : findNearestInRow(layout, row - 1, getCenter(layout, index));
    case 'ArrowDown':
      return row + 1 >= layout.rows.length ? 'after' : findNearestInRow(layout, row + 1, getCenter(layout, index));
  }
};

/** Returns the horizontal centre of an item, in CSS pixels. */
export const getCenter = (layout: GridLayout, index: number): number =>
  (layout.lefts[index] ?? 0) + (layout.widths[index] ?? 0) / 2;

/** Returns the item in a row with the nearest centre to `x`, in CSS pixels from the left. */
export const findNearestInRow = (layout: GridLayout, row: number, x: number): number => {
  const { first, end } = layout.rows[row] ?? { first: 0, end: 0 };
  let nearest = first;
  for (let index = first; index < end; index += 1) {
    if (Math.abs(getCenter(layout, index) - x) < Math.abs(getCenter(layout, nearest) - x)) nearest = index;
  }
  return nearest;
};
