import { describe, expect, it } from 'vitest';
import { moveInGrid, listRowsBetween, type MovingKey } from './gridNavigation.ts';
import type { GridLayout } from '../layout/justifiedRows.ts';

// Row 0: items 0 (0–300), 1 (304–400). Row 1: items 2 (0–100), 3 (104–200), 4 (204–400). Row 2: item 5 (0–100).
const layout: GridLayout = {
  rows: [
    { first: 0, end: 2, top: 0, height: 100 },
    { first: 2, end: 5, top: 104, height: 100 },
    { first: 5, end: 6, top: 208, height: 100 },
  ],
  lefts: [0, 304, 0, 104, 204, 0],
  widths: [300, 96, 100, 96, 196, 100],
  height: 308,
};

describe('grid navigation', () => {
  it.each<[number, MovingKey, number | 'before' | 'after']>([
    [1, 'ArrowRight', 2],
    [2, 'ArrowLeft', 1],
    [0, 'ArrowLeft', 'before'],
    [5, 'ArrowRight', 'after'],
    [0, 'ArrowDown', 3],
    [1, 'ArrowDown', 4],
    [4, 'ArrowDown', 5],
    [5, 'ArrowDown', 'after'],
    [2, 'ArrowUp', 0],
    [4, 'ArrowUp', 1],
    [1, 'ArrowUp', 'before'],
    [3, 'Home', 2],
    [3, 'End', 4],
  ])('moves from item %i by %s to %s', (index, key, expected) => {
    expect(moveInGrid(layout, index, key)).toBe(expected);
  });

  it.each<[number, number, readonly [number, number]]>([
    [0, 50, [0, 1]],
    [50, 104, [0, 2]],
    [210, 999, [2, 3]],
    [-500, -100, [0, 1]],
  ])('finds the rows from %i to %i', (from, to, expected) => {
    expect(listRowsBetween(layout.rows, from, to)).toEqual(expected);
  });
});
