import sharp, { type Metadata, type SharpOptions } from 'sharp';
import { animateWithSharp } from '../pictures/animatedPreview.ts';
import { checkPixels, throwCorrupt } from '../errors/decodeError.ts';
import { isSmallRgbProfile } from '../pictures/jpegProfile.ts';
import { checkJpegScans } from './jpegScans.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import {
  orientSize,
  previewQuality,
  previewSize,
  rotationOf,
  type EncodedPicture,
  type PhotoPreview,
  type PhotoSource,
} from '../pictures/photoPreview.ts';

/**
 * The preview of a format that sharp reads.
 *
 * 1. the header: of a JPEG the number of scans, size in pixels, colour space
 * 2. the preview, from the file; it keeps a small RGB profile (converting a Display P3 photo instead costs
 *    205 ms against 66 ms, and the eye sees no difference)
 *
 * @throws DecodeError CORRUPT, TOO_LARGE or OUT_OF_MEMORY.
 */
export async function previewWithSharp(source: PhotoSource): Promise<PhotoPreview> {
  if (source.format === 'jpeg') await checkJpegScans(source.path);
  const header = await readHeader(source);
  const orientation = orientationOf(header, source);
  const { picture: still, warnings } = await renderStill(source, header, orientation);
  const moving = await animateWithSharp(source, header);
  return {
    ...orientSize(source.within ?? header, source.within?.orientation ?? orientation),
    hasAlpha: header.hasAlpha,
    still,
    hasProfile: hasSmallRgbProfile(header),
    ...(moving !== undefined && { moving }),
    warnings,
  };
}

/** Reads only the header: a 2,500-megapixel PNG of 300 kB is refused in 2 ms. */
async function readHeader({ path, maxPixels }: PhotoSource): Promise<Metadata> {
  const header = await sharp(path, { failOn: 'none', limitInputPixels: false }).metadata().catch(throwCorrupt);
  checkPixels(header, maxPixels);
  return header;
}

/**
 * The orientation of the picture. A RAW file's preview without one gets that of the RAW file, if both lie alike: some cameras turn the
 * preview and leave the orientation to the file around it.
 */
function orientationOf({ orientation = 1, width, height }: Metadata, { within }: PhotoSource): number {
  if (orientation > 1 || within === undefined) return orientation;
  const liesAlike = width >= height === within.width >= within.height;
  return within.orientation < 5 || liesAlike ? within.orientation : 1;
}

/**
 * Decodes strictly; what fails there is decoded again with every complaint ignored. So only a damaged file pays for
 * a second decode, and the two levels tell damaged from whole exactly as all files of the test media expect that sharp
 * reads. `unlimited` lifts libvips' limit on the number of errors in a file, without which a JPEG with wrong
 * restart markers (corrupt/corrupted.jpg) is refused; the limits of the decoder pool hold all the same.
 */
async function renderStill(
  { path, format, maxPixels: limitInputPixels }: PhotoSource,
  header: Metadata,
  orientation: number,
): Promise<{ picture: EncodedPicture; warnings: PhotoPreview['warnings'] }> {
  try {
    const failOn = strictness(format);
    return { picture: await encodeStill(path, header, orientation, { limitInputPixels, failOn }), warnings: [] };
  } catch {
    const salvage = { limitInputPixels, failOn: 'none', unlimited: true } as const;
    const picture = await encodeStill(path, header, orientation, salvage).catch(throwCorrupt);
    return { picture, warnings: ['DAMAGED'] };
  }
}

/** libtiff's warnings are about tags that a program wrote carelessly (colour-depth/Issue 555 (1).tif); lost pixels are errors. */
const strictness = (format: PhotoFormat): 'warning' | 'error' => (format === 'tiff' ? 'error' : 'warning');

async function encodeStill(
  path: string,
  header: Metadata,
  orientation: number,
  options: SharpOptions,
): Promise<EncodedPicture> {
  const keepsProfile = hasSmallRgbProfile(header);
  const { degrees, mirrored } = rotationOf(orientation);
  // Turned after resizing: with `autoOrient` it would be turned before (76 ms against 85 ms).
  let pipeline = sharp(path, { ...options, sequentialRead: true, ignoreIcc: keepsProfile })
    .resize(previewSize, previewSize, { fit: 'inside', withoutEnlargement: true })
    .flop(mirrored)
    .rotate(degrees);
  if (header.hasAlpha) pipeline = pipeline.flatten({ background: 'white' });
  if (keepsProfile) pipeline = pipeline.keepIccProfile();
  // Huffman tables made for each picture would take 8 ms of CPU and make it 3 % smaller (27 camera photos, 2026-11).
  const { data, info } = await pipeline
    .jpeg({ quality: previewQuality, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/**
 * Whether the preview can carry the file's own profile: it must describe RGB, as the preview's pixels are (those of a
 * CMYK or grey original are converted).
 */
function hasSmallRgbProfile({ icc, space }: Metadata): boolean {
  return icc !== undefined && (space === 'srgb' || space === 'rgb16') && isSmallRgbProfile(icc);
}
