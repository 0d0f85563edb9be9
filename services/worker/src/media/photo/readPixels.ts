import sharp, { type Sharp } from 'sharp';
import { throwCorrupt } from '../errors/decodeError.ts';

/** A preview, and the requested sizes of its pixels. */
export interface PreviewSource {
  readonly path: string;
  /** Maximum longer side of each size, in pixels. */
  readonly sides: readonly number[];
  /** Larger pictures are rejected by their header. */
  readonly maxPixels: number;
}

/** Pixels of a picture, in the layout of the models' inputs. */
export interface RgbPixels {
  /** Red, green and blue in sRGB, 8 bits each, row by row from the top without gaps: the pixel at `x`, `y` begins at 3 × (`y` × `width` + `x`). */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes a preview (upright, on white) once at the largest size and scales it down to the others. Never enlarges. Uses the first frame of an
 * animation. Call it in a decoder child only (`decoderPool.ts`): the preview was made by a decoder that may be compromised.
 * @throws DecodeError CORRUPT
 */
export async function readPixels({ path, sides, maxPixels }: PreviewSource): Promise<readonly RgbPixels[]> {
  const largest = await resize(sharp(path, { limitInputPixels: maxPixels }), Math.max(...sides)).catch(throwCorrupt);
  const { data, width, height } = largest;
  return Promise.all(
    sides.map((side) =>
      side < Math.max(width, height)
        ? resize(sharp(data, { raw: { width, height, channels: 3 } }), side)
        : Promise.resolve(largest),
    ),
  );
}

const resize = async (picture: Sharp, side: number): Promise<RgbPixels> => {
  const { data, info } = await picture
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};
