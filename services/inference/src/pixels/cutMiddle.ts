import { resizePixels } from './resizePixels.ts';
import type { RgbPixels } from './rgbPixels.ts';

/** The square of `partSide` pixels in the middle of a picture whose shorter side is made `shorterSide` pixels long. */
export function cutMiddle(pixels: RgbPixels, shorterSide: number, partSide: number): RgbPixels {
  const scale = shorterSide / Math.min(pixels.width, pixels.height);
  const [width, height] = [Math.round(pixels.width * scale), Math.round(pixels.height * scale)];
  return resizePixels(pixels, width, height, {
    left: Math.floor((width - partSide) / 2),
    top: Math.floor((height - partSide) / 2),
    width: partSide,
    height: partSide,
  });
}
