import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { samplePixels } from '../pixels/samplePixels.ts';
import { getDownVector, type RotatedRectangle } from './rotatedRectangle.ts';

/** Height of a line in the model's input, in pixels. */
export const lineHeight = 48;

/**
 * Factor that narrows a line, because the time to read it depends on its width. At 0.75 the model reads as many of 450
 * words and signs in the test media as at 1; at 0.65 it reads fewer (2026-11).
 */
const narrowing = 0.75;

/** Maximum width of a line, in pixels. Longer lines are squeezed, which limits memory. */
const maxLineWidth = 2_048;

/**
 * Cuts a line out of the picture: levels it, scales it to `lineHeight` and narrows it. `across` must point in the
 * reading direction.
 */
export function cutLine(pixels: RgbPixels, line: RotatedRectangle): RgbPixels {
  const width = Math.min(maxLineWidth, Math.max(1, Math.round((narrowing * lineHeight * line.width) / line.height)));
  const down = getDownVector(line);
  const { centre, across } = line;
  return samplePixels(pixels, {
    origin: {
      x: centre.x - (across.x * line.width + down.x * line.height) / 2,
      y: centre.y - (across.y * line.width + down.y * line.height) / 2,
    },
    right: { x: (across.x * line.width) / width, y: (across.y * line.width) / width },
    down: { x: (down.x * line.height) / lineHeight, y: (down.y * line.height) / lineHeight },
    width,
    height: lineHeight,
    outside: 'edge',
  });
}
