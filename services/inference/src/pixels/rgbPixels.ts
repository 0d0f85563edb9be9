/** The pixels of a picture, upright. */
export interface RgbPixels {
  /** Red, green and blue in sRGB, 8 bits each, row by row from the top: the pixel at `x`, `y` begins at 3 × (`y` × `width` + `x`). */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** One picture in several sizes, in any order and at least in one, as a decoder makes them at once. */
export type PictureSizes = readonly RgbPixels[];

/** The longer side in pixels. */
export const longerSide = ({ width, height }: RgbPixels): number => Math.max(width, height);

/** The size with the most pixels. @throws Error where there is none */
export const largestOf = (sizes: PictureSizes): RgbPixels => {
  const [first, ...others] = sizes;
  if (first === undefined) throw new Error('A picture has at least one size.');
  return others.reduce((best, each) => (longerSide(each) > longerSide(best) ? each : best), first);
};
