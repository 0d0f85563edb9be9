import sharp, { type SharpOptions } from 'sharp';
import { checkPixels, throwCorrupt } from '../errors/decodeError.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import { checkJpegScans } from './jpegScans.ts';
import type { EncodedPicture } from '../pictures/photoPreview.ts';

/** A part of a picture, in fractions of the upright picture from its upper left corner. */
export interface PicturePart {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maximum longer side of a crop, in pixels. */
export const cropSize = 240;

/** Maximum number of crops per picture. */
export const maxCrops = 500;

/** A photo in a format that sharp reads, and the parts to crop. */
export interface CropSource {
  readonly path: string;
  readonly format: PhotoFormat;
  readonly parts: readonly PicturePart[];
  /** Larger pictures are rejected by their header. */
  readonly maxPixels: number;
}

/**
 * Crops parts of a photo: upright, in sRGB, on white, as WebP, never enlarged. Decodes the photo once, in the smallest size that gives every part its
 * maximum resolution. Damaged photos are cropped as far as they can be read. Call it in a decoder child only (`decoderPool.ts`): the bytes are
 * untrusted.
 * @throws DecodeError CORRUPT, TOO_LARGE
 */
export async function cropParts({ path, format, parts, maxPixels }: CropSource): Promise<readonly EncodedPicture[]> {
  if (format === 'jpeg') await checkJpegScans(path);
  const header = await sharp(path, { failOn: 'none', limitInputPixels: false }).metadata().catch(throwCorrupt);
  checkPixels(header, maxPixels);
  const side = Math.min(maxSide, Math.max(...parts.map((part) => chooseDecodeSide(part, header))));
  const options: SharpOptions = { failOn: 'none', unlimited: true, limitInputPixels: maxPixels, sequentialRead: true };
  const { data, info } = await sharp(path, options)
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(throwCorrupt);
  const picture = { raw: { width: info.width, height: info.height, channels: info.channels } };
  return Promise.all(parts.map((part) => cropPart(data, picture, part)));
}

/** Maximum longer side of the decoded picture, in pixels. A landscape photo then takes 50 MB. */
const maxSide = 4_800;

/** Returns the longer side to decode the picture to, for this part. */
const chooseDecodeSide = (
  { width, height }: PicturePart,
  picture: { readonly autoOrient: { readonly width: number; readonly height: number } },
): number => {
  const { width: across, height: down } = picture.autoOrient;
  return Math.ceil((cropSize * Math.max(across, down)) / Math.max(1, width * across, height * down));
};

const cropPart = async (
  data: Buffer,
  picture: { readonly raw: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 } },
  part: PicturePart,
): Promise<EncodedPicture> => {
  const [left, width] = clampSpan(part.left, part.width, picture.raw.width);
  const [top, height] = clampSpan(part.top, part.height, picture.raw.height);
  const { data: bytes, info } = await sharp(data, picture)
    .extract({ left, top, width, height })
    .resize(cropSize, cropSize, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  return { bytes, width: info.width, height: info.height };
};

/** Returns the first pixel and the number of pixels: at least one, all inside the picture. */
const clampSpan = (from: number, length: number, pixels: number): [number, number] => {
  const first = Math.min(pixels - 1, Math.max(0, Math.round(from * pixels)));
  return [first, Math.min(pixels - first, Math.max(1, Math.round(length * pixels)))];
};
