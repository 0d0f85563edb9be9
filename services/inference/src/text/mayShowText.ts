import { findLargest, type PictureSizes, type RgbPixels } from '../pixels/rgbPixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { mapText } from './detectText.ts';

/**
 * Longer sides of the pictures to check, in pixels; the larger one is for long pictures. At 320 pixels, the signs in
 * two of nine photos of the test media were missed. At 352 none were, not even in darkened, recompressed and turned
 * copies (2026-11).
 */
export const textCheckSides = [352, 416] as const;

/** Maximum number of pixels to check, unless all sizes have more. This many pixels take 20 ms. */
const maxPixels = 352 * 256;

/** Maximum rows or columns to crop at the edges, to avoid padding of up to 32 pixels for them. */
const maxSkipped = 12;

/** Minimum value of a pixel that hints at text. In photos without text, hardly any pixel is above 0. */
const minHint = 0.1;

/** Returns true if a picture may show text, by the detector's result for a small copy. */
export async function mayShowText(run: RunModel, sizes: PictureSizes): Promise<boolean> {
  const cropped = sizes.map(trim);
  const small = cropped.filter(({ width, height }) => width * height <= maxPixels);
  const { data } = await mapText(run, findLargest(small.length > 0 ? small : cropped.slice(0, 1)));
  return data.some((value) => value > minHint);
}

/** Crops a few pixels at the edges if this makes width or height a multiple of 32. */
const trim = ({ data, width, height }: RgbPixels): RgbPixels => {
  const [left, top] = [width, height].map((side) => (side > 32 && side % 32 <= maxSkipped ? side % 32 : 0)) as [
    number,
    number,
  ];
  if (left === 0 && top === 0) return { data, width, height };
  const kept = { width: width - left, height: height - top };
  const rows = Array.from({ length: kept.height }, (_, y) => {
    const begin = 3 * ((y + (top >> 1)) * width + (left >> 1));
    return data.subarray(begin, begin + 3 * kept.width);
  });
  return { ...kept, data: Buffer.concat(rows) };
};
