import { largestOf, type PictureSizes, type RgbPixels } from '../pixels/rgbPixels.ts';
import type { RunModel } from '../pixels/tensor.ts';
import { mapText } from './detectText.ts';

/**
 * The longer sides of the pixels for a glance, the larger one for long pictures. With 320 pixels the signs in two of nine photos of the test media were overlooked, with 352
 * none, and none in darkened, recompressed and turned copies (2026-11).
 */
export const glanceSides = [352, 416] as const;

/** Pixels of what is glanced at, at most, where there is a choice: as many take 20 ms. */
const maxPixels = 352 * 256;

/** Rows or columns that are left out at the edges, since the model would take 32 pixels for them. */
const mostLeftOut = 12;

/** From here on a pixel is a hint of text. In photos without any, hardly a pixel is above 0. */
const minHint = 0.1;

/** Whether a picture may show text: whether anything in a small copy of it looks like some. */
export async function mayShowText(run: RunModel, sizes: PictureSizes): Promise<boolean> {
  const glances = sizes.map(trim);
  const small = glances.filter(({ width, height }) => width * height <= maxPixels);
  const { data } = await mapText(run, largestOf(small.length > 0 ? small : glances.slice(0, 1)));
  return data.some((value) => value > minHint);
}

/** The picture without the few pixels at its edges by which it is longer or wider than a multiple of 32. */
const trim = ({ data, width, height }: RgbPixels): RgbPixels => {
  const [left, top] = [width, height].map((side) => (side > 32 && side % 32 <= mostLeftOut ? side % 32 : 0)) as [
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
