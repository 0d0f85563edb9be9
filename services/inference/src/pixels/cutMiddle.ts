import { resizePixels } from './resizePixels.ts';
import type { RgbPixels } from './rgbPixels.ts';

/** Scales a picture to a shorter side of `shorterSide` pixels and cuts the middle square of `partSide` pixels. */
export function cutMiddle(pixels: RgbPixels, shorterSide: number, cropSide: number): RgbPixels {
  const scale = shorterSide / Math.min(pixels.width, pixels.height);
  const [width, height] = [Math.round(pixels.width * scale), Math.round(pixels.height * scale)];
  return resizePixels(pixels, width, height, {
    left: Math.floor((width - cropSide) / 2),
    top: Math.floor((height - cropSide) / 2),
    width: cropSide,
    height: cropSide,
  });
}
