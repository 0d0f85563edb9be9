/** The pixels of an upright picture. */
export interface RgbPixels {
  /**
   * Red, green and blue in sRGB, 8 bits each, row by row from the top: the pixel at `x`, `y` starts at 3 × (`y` ×
   * `width` + `x`).
   */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A picture in one or more sizes, in any order, as a decoder creates them in one pass. */
export type PictureSizes = readonly RgbPixels[];

export const longerSide = ({ width, height }: RgbPixels): number => Math.max(width, height);

/** @throws Error if there are no sizes */
export const findLargest = (sizes: PictureSizes): RgbPixels => {
  const [first, ...others] = sizes;
  if (first === undefined) throw new Error('A picture needs at least one size.');
  return others.reduce((best, each) => (longerSide(each) > longerSide(best) ? each : best), first);
};
