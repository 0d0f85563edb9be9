import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { samplePixels } from '../pixels/samplePixels.ts';
import { downOf, type TurnedRectangle } from './turnedRectangle.ts';

/** The height of a line as the model reads it, in pixels. */
export const lineHeight = 48;

/**
 * By how much a line is narrowed: the time to read it goes by its width. Of 450 words and signs in the test media as
 * many are read at 0.75 as at 1, and fewer at 0.65 (2026-11).
 */
const narrowing = 0.75;

/** Pixels of a line that are read: a longer one is squeezed, which bounds the memory that it takes. */
const maxLineWidth = 2_048;

/** The line in this rectangle, in pixels of the picture and with `across` in the direction of reading, made level, `lineHeight` pixels high, and narrowed. */
export function cutLine(pixels: RgbPixels, line: TurnedRectangle): RgbPixels {
  const width = Math.min(maxLineWidth, Math.max(1, Math.round((narrowing * lineHeight * line.width) / line.height)));
  const down = downOf(line);
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
