import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { measureSharpness } from './measureSharpness.ts';

const side = 48;

const draw = (grey: (x: number, y: number) => number): RgbPixels => ({
  data: Uint8Array.from({ length: 3 * side * side }, (_, i) => {
    const at = Math.floor(i / 3);
    return Math.round(grey(at % side, Math.floor(at / side)));
  }),
  width: side,
  height: side,
});

/** A wave with this wavelength in pixels and this amplitude. */
const wave = (pixels: number, height = 100) =>
  draw((x, y) => 128 + height * Math.sin((2 * Math.PI * (x + y)) / pixels));

test('returns lower values for coarser detail, regardless of contrast', () => {
  const [fine, coarse] = [measureSharpness(wave(6)), measureSharpness(wave(24))];
  assert.ok(fine > 4 * coarse, `${fine} and ${coarse}`);
  assert.ok(Math.abs(measureSharpness(wave(6, 50)) - fine) < 0.02);
  assert.equal(measureSharpness(draw(() => 90)), 0);
});
