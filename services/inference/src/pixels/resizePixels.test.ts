import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { pixelsAtMost, resizePixels } from './resizePixels.ts';
import type { RgbPixels } from './rgbPixels.ts';

/** A grey picture from rows of values. */
const greys = (...rows: readonly (readonly number[])[]): RgbPixels => ({
  data: Uint8Array.from(rows.flat().flatMap((grey) => [grey, grey, grey])),
  width: rows[0]!.length,
  height: rows.length,
});

const readReds = ({ data }: RgbPixels): number[] => Array.from(data).filter((_, i) => i % 3 === 0);

const cases: readonly [what: string, source: RgbPixels, width: number, height: number, expected: number[]][] = [
  ['the same size', greys([10, 20], [30, 40]), 2, 2, [10, 20, 30, 40]],
  // The triangle is two new pixels wide: weights of 1, 3, 3 and 1 eighths, without those outside of the picture.
  ['half of the width', greys([0, 0, 80, 80]), 2, 1, [11, 69]],
  ['one pixel', greys([0, 100], [100, 0]), 1, 1, [50]],
  ['twice the width', greys([0, 100]), 4, 1, [0, 25, 75, 100]],
];

for (const [what, source, width, height, expected] of cases)
  test(`scales a picture to ${what}`, () => assert.deepEqual(readReds(resizePixels(source, width, height)), expected));

test('returns a part of the scaled picture unchanged, and keeps colours apart', () => {
  const sides = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(
      sides,
      sides,
      sides,
      sides,
      fc.infiniteStream(fc.nat(255)),
      (width, height, toWidth, toHeight, bytes) => {
        const data = Uint8Array.from({ length: 3 * width * height }, () => bytes.next().value!);
        const source = { data, width, height };
        const whole = resizePixels(source, toWidth, toHeight);
        const window = { left: toWidth >> 1, top: toHeight >> 1, width: 1, height: 1 };
        const at = 3 * (window.top * toWidth + window.left);
        assert.deepEqual(resizePixels(source, toWidth, toHeight, window).data, whole.data.slice(at, at + 3));
        const blueless = { ...source, data: data.map((value, i) => (i % 3 === 2 ? 0 : value)) };
        const expected = whole.data.map((value, i) => (i % 3 === 2 ? 0 : value));
        assert.deepEqual(resizePixels(blueless, toWidth, toHeight).data, expected);
      },
    ),
  );
});

test('takes the fitting size, otherwise scales the next larger one, and never enlarges', () => {
  const [small, large] = [greys([1, 2]), greys([1, 1, 2, 2], [1, 1, 2, 2])];
  assert.equal(pixelsAtMost([large, small], 2), small);
  assert.equal(pixelsAtMost([small, large], 9), large);
  const { width, height } = pixelsAtMost([large, small], 3);
  assert.deepEqual([width, height], [3, 2]);
});
