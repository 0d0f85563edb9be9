import sharp, { type Metadata, type SharpOptions } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { DecodeError } from './decodeError.ts';
import { findPhotoFormat, type PhotoFormat } from './photoFormat.ts';

/** Longer side of a preview, in pixels (decisions.md, "Media items"). */
export const previewSize = 1440;

/** Longer side of a thumbnail, in pixels (decisions.md, "Media items"). */
export const thumbnailSize = 320;

/** An encoded picture and its size in pixels. */
export interface EncodedPicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** What a photo looks like, for screens. Every size is after orientation. */
export interface RenderedPhoto {
  readonly format: PhotoFormat;
  /** Of the original, as a person sees it. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** JPEG, longer side at most 1440 px. */
  readonly preview: EncodedPicture;
  /** WebP in sRGB, longer side at most 320 px. */
  readonly thumbnail: EncodedPicture;
  /** A ThumbHash in base64. */
  readonly placeholder: string;
  /** `DAMAGED`: shown as far as it can be read, some of it is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/**
 * Renders a JPEG, PNG or WebP file with one decode: preview, thumbnail and placeholder, upright, never enlarged, on
 * white where it is transparent, without EXIF, XMP and GPS. Of an animation it takes the first frame.
 * Call it in a decoder child only (`decoderPool.ts`): the bytes may be hostile.
 *
 * 1. the header: format, size in pixels, colour space
 * 2. the preview, from the file; it keeps a small RGB profile (converting a Display P3 photo instead costs
 *    205 ms against 66 ms, and the eye sees no difference)
 * 3. thumbnail and placeholder, cut from the preview, where converting to sRGB is cheap
 *
 * @throws DecodeError CORRUPT, TOO_LARGE, UNSUPPORTED or OUT_OF_MEMORY.
 */
export async function renderPhoto(path: string, { maxPixels }: { maxPixels: number }): Promise<RenderedPhoto> {
  const format = await findPhotoFormat(path);
  if (!format) throw new DecodeError('UNSUPPORTED', 'There is no decoder for this file format.');
  const header = await readHeader(path, maxPixels);
  const { picture: preview, warnings } = await renderPreview(path, header, maxPixels);
  const { data, info } = await shrinkToSrgb(preview.bytes, hasSmallRgbProfile(header));
  const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } };
  return {
    format,
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    hasAlpha: header.hasAlpha,
    preview,
    thumbnail: {
      bytes: await sharp(data, pixels).webp({ quality: 75, effort: 2 }).toBuffer(),
      width: info.width,
      height: info.height,
    },
    placeholder: await makePlaceholder(data, pixels),
    warnings,
  };
}

/** Reads no pixel: a 2,500-megapixel PNG of 300 kB is refused in 2 ms. */
async function readHeader(path: string, maxPixels: number): Promise<Metadata> {
  const header = await sharp(path, { failOn: 'none', limitInputPixels: false }).metadata().catch(throwCorrupt);
  const pixels = header.width * header.height;
  if (pixels > maxPixels) {
    const [size, limit] = [pixels, maxPixels].map((count) => `${Math.ceil(count / 1e6)} million`);
    throw new DecodeError('TOO_LARGE', `The picture has ${size} pixels; this library shows up to ${limit}.`);
  }
  return header;
}

/**
 * Decodes strictly; what fails there is decoded again with every complaint ignored. So only a damaged file pays for
 * a second decode, and the two levels tell damaged from whole exactly as all 194 JPEG, PNG and WebP files of the test
 * media expect. `unlimited` lifts libvips' limit on the number of errors in a file, without which a JPEG with wrong
 * restart markers (corrupt/corrupted.jpg) is refused; the limits of the decoder pool hold all the same.
 */
async function renderPreview(
  path: string,
  header: Metadata,
  limitInputPixels: number,
): Promise<{ picture: EncodedPicture; warnings: RenderedPhoto['warnings'] }> {
  try {
    return { picture: await encodePreview(path, header, { limitInputPixels, failOn: 'warning' }), warnings: [] };
  } catch {
    const salvage = { limitInputPixels, failOn: 'none', unlimited: true } as const;
    const picture = await encodePreview(path, header, salvage).catch(throwCorrupt);
    return { picture, warnings: ['DAMAGED'] };
  }
}

async function encodePreview(path: string, header: Metadata, options: SharpOptions): Promise<EncodedPicture> {
  const keepsProfile = hasSmallRgbProfile(header);
  const { degrees, mirrored } = uprightTurns[header.orientation ?? 1] ?? upright;
  // Turned when it is small: turning comes after resizing here, and before it with `autoOrient` (76 ms against 85 ms).
  let pipeline = sharp(path, { ...options, sequentialRead: true, ignoreIcc: keepsProfile })
    .resize(previewSize, previewSize, { fit: 'inside', withoutEnlargement: true })
    .flop(mirrored)
    .rotate(degrees);
  if (header.hasAlpha) pipeline = pipeline.flatten({ background: 'white' });
  if (keepsProfile) pipeline = pipeline.keepIccProfile();
  // Huffman tables made for each picture would take 8 ms of CPU and make it 3 % smaller (27 camera photos, 2026-11).
  const { data, info } = await pipeline
    .jpeg({ quality: 80, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

const upright = { degrees: 0, mirrored: false } as const;

/** How a picture is mirrored left to right and then turned clockwise to stand upright, by its orientation (EXIF 2.32, tag 0x0112). */
const uprightTurns: Readonly<Record<number, { readonly degrees: number; readonly mirrored: boolean }>> = {
  2: { degrees: 0, mirrored: true },
  3: { degrees: 180, mirrored: false },
  4: { degrees: 180, mirrored: true },
  5: { degrees: 270, mirrored: true },
  6: { degrees: 90, mirrored: false },
  7: { degrees: 90, mirrored: true },
  8: { degrees: 270, mirrored: false },
};

/**
 * The pixels of the thumbnail. Where the preview has a profile, they are converted when there are few of them: half the time, and the
 * two orders differ by less than the eye sees.
 */
async function shrinkToSrgb(preview: Buffer, hasProfile: boolean) {
  const small = sharp(preview, { ignoreIcc: hasProfile }).resize(thumbnailSize, thumbnailSize, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  if (!hasProfile) return small.raw().toBuffer({ resolveWithObject: true });
  const withProfile = await small.keepIccProfile().png({ compressionLevel: 0 }).toBuffer();
  return sharp(withProfile).raw().toBuffer({ resolveWithObject: true });
}

/**
 * Whether the preview can carry the file's own profile: it must describe RGB, as the preview's pixels are (those of a
 * CMYK or grey original are converted). A camera's own profile with tables of hundreds of kB would be larger than the preview itself.
 */
function hasSmallRgbProfile({ icc, space }: Metadata): boolean {
  if (!icc || icc.length > 64 * 1024) return false;
  // Bytes 16–19 of a profile name the colour space of its data: ICC.1:2022, section 7.2.6.
  return (space === 'srgb' || space === 'rgb16') && icc.toString('latin1', 16, 20) === 'RGB ';
}

/** ThumbHash takes at most 100 × 100 RGBA pixels (evanw.github.io/thumbhash). */
async function makePlaceholder(data: Buffer, pixels: SharpOptions): Promise<string> {
  const small = await sharp(data, pixels)
    .resize(100, 100, { fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64');
}

function throwCorrupt(cause: unknown): never {
  if (cause instanceof Error && cause.message.includes('out of memory')) {
    throw new DecodeError('OUT_OF_MEMORY', 'There was not enough memory to decode the picture.', { cause });
  }
  throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.', { cause });
}
