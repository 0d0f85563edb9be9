import sharp, { type Sharp } from 'sharp';
import { throwCorrupt } from '../errors/decodeError.ts';

/** A preview, and the requested sizes of its pixels. */
export interface PreviewSource {
  readonly path: string;
  /** Pixels of the longer side at most. */
  readonly sides: readonly number[];
  /** Larger pictures are refused by their header. */
  readonly maxPixels: number;
}

/** The pixels of a picture, in the layout that recognition models take. */
export interface RgbPixels {
  /** Red, green and blue in sRGB, 8 bits each, row by row from the top without gaps: the pixel at `x`, `y` begins at 3 × (`y` × `width` + `x`). */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * The pixels of a preview (upright, on white) in each of these sizes, never enlarged. It is decoded once to the largest size, of which the
 * others are made. Of an animation, its first frame. Call it in a decoder child only (`decoderPool.ts`): the decoder that made the preview
 * may have been taken over.
 * @throws DecodeError CORRUPT
 */
export async function readPixels({ path, sides, maxPixels }: PreviewSource): Promise<readonly RgbPixels[]> {
  const largest = await cut(sharp(path, { limitInputPixels: maxPixels }), Math.max(...sides)).catch(throwCorrupt);
  const { data, width, height } = largest;
  return Promise.all(
    sides.map((side) =>
      side < Math.max(width, height)
        ? cut(sharp(data, { raw: { width, height, channels: 3 } }), side)
        : Promise.resolve(largest),
    ),
  );
}

const cut = async (picture: Sharp, side: number): Promise<RgbPixels> => {
  const { data, info } = await picture
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};
