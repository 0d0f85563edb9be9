import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLines } from './detectText.ts';

/** Creates a map of 64×32 pixels with bars of the given probability. */
const makeMap = (...bars: readonly { left: number; top: number; width: number; height: number; value?: number }[]) => {
  const data = new Float32Array(64 * 32);
  for (const { left, top, width, height, value = 0.9 } of bars)
    for (let y = top; y < top + height; y += 1) data.fill(value, y * 64 + left, y * 64 + left + width);
  return { data, width: 64, height: 32 };
};

test('widens the core of a line to the whole line', () => {
  const [line, ...others] = readLines(makeMap({ left: 10, top: 8, width: 31, height: 5 }));
  assert.equal(others.length, 0);
  // 30 × 4 between the centres of pixels; the edges move out by 1.6 × 120 ÷ 68.
  const distance = (1.6 * 120) / 68;
  assert.deepEqual(line!.centre, { x: 25.5, y: 10.5 });
  assert.ok(Math.abs(line!.width - (30 + 2 * distance)) < 1e-9);
  assert.ok(Math.abs(line!.height - (4 + 2 * distance)) < 1e-9);
});

test('ignores specks and uncertain text', () => {
  assert.deepEqual(readLines(makeMap({ left: 3, top: 3, width: 30, height: 2 })), []);
  assert.deepEqual(readLines(makeMap({ left: 3, top: 3, width: 30, height: 8, value: 0.4 })), []);
});
