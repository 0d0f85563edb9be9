import type { GridLayout, GridRow } from '../layout/justifiedRows.ts';

/** The keys that move through a grid. */
export const movingKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'] as const;
export type MovingKey = (typeof movingKeys)[number];

/** Whether the key moves through a grid. */
export const isMovingKey = (key: string): key is MovingKey => (movingKeys as readonly string[]).includes(key);

/** The number of the last row that begins at or before `value` by `start`, 0 if none does. Rows are in ascending order of it. */
export const lastRowFrom = <Row>(rows: readonly Row[], value: number, start: (row: Row) => number): number => {
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

/** The number of the row in which the item with this index is. */
export const rowOfIndex = (layout: GridLayout, index: number): number =>
  lastRowFrom(layout.rows, index, (row) => row.first);

/** The rows that are at least partly between two heights, as a range without its end. */
export const rowsBetween = (rows: readonly GridRow[], from: number, to: number): readonly [number, number] => {
  if (rows.length === 0) return [0, 0];
  const first = lastRowFrom(rows, from, (row) => row.top);
  return [first, Math.max(first, lastRowFrom(rows, to, (row) => row.top) + 1)];
};

/** Where a key leads from an item: to another one's index, or out of the grid `before` its first or `after` its last row. */
export const moveInGrid = (layout: GridLayout, index: number, key: MovingKey): number | 'before' | 'after' => {
  const row = rowOfIndex(layout, index);
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
      return row === 0 ? 'before' : nearestInRow(layout, row - 1, centreOf(layout, index));
    case 'ArrowDown':
      return row + 1 >= layout.rows.length ? 'after' : nearestInRow(layout, row + 1, centreOf(layout, index));
  }
};

/** Where the middle of an item is, in CSS pixels from the left. */
export const centreOf = (layout: GridLayout, index: number): number =>
  (layout.lefts[index] ?? 0) + (layout.widths[index] ?? 0) / 2;

/** The index of the item of a row whose picture is at, or nearest to, a place from the left. */
export const nearestInRow = (layout: GridLayout, row: number, place: number): number => {
  const { first, end } = layout.rows[row] ?? { first: 0, end: 0 };
  let nearest = first;
  for (let index = first; index < end; index += 1) {
    if (Math.abs(centreOf(layout, index) - place) < Math.abs(centreOf(layout, nearest) - place)) nearest = index;
  }
  return nearest;
};
