import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point } from '../pixels/samplePixels.ts';
import { sortByReadingOrder } from './readingOrder.ts';
import type { RotatedRectangle } from './rotatedRectangle.ts';

/** Three lines of an upright page in reading order: two on one level, and one below. */
const page: readonly Point[] = [
  { x: 30, y: 21 },
  { x: 70, y: 20 },
  { x: 30, y: 50 },
];

/** Turns the page clockwise by quarter turns, with the reading directions of its lines. */
const turn = (quarters: number): RotatedRectangle[] =>
  page.map((point) => {
    let [centre, across] = [point, { x: 1, y: 0 }];
    for (let i = 0; i < quarters; i += 1)
      [centre, across] = [
        { x: -centre.y, y: centre.x },
        { x: -across.y, y: across.x },
      ];
    return { centre, across, width: 30, height: 10 };
  });

for (const quarters of [0, 1, 2, 3])
  test(`reads a page rotated by ${90 * quarters}° in reading order`, () => {
    const lines = turn(quarters);
    assert.deepEqual(sortByReadingOrder(lines.toReversed()), lines);
  });

test('orders a line with another direction by its position on the page', () => {
  const lines = turn(0);
  const vertical: RotatedRectangle = { centre: { x: 95, y: 35 }, across: { x: 0, y: 1 }, width: 20, height: 8 };
  const ordered = sortByReadingOrder([vertical, ...lines]);
  assert.deepEqual(ordered, [lines[0], lines[1], vertical, lines[2]]);
});
