import sharp, { type SharpOptions } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { DecodeError } from './decodeError.ts';
import { ignoreMissingModule } from './missingModule.ts';
import { photoFormats, type PhotoFormat } from './photoFormats.ts';
import type { EncodedPicture, PhotoPreview, PhotoSource } from './photoPreview.ts';
import { previewWithSharp } from './sharpPhoto.ts';

/** Longer side of a thumbnail, in pixels (decisions.md, "Media items"). */
export const thumbnailSize = 320;

/** What a photo looks like, for screens. Every size is after orientation. */
export interface RenderedPhoto {
  readonly format: PhotoFormat;
  /** Of the original, as a person sees it. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Longer side at most 1440 px: a JPEG, or of an animation a WebP that moves. */
  readonly preview: EncodedPicture & { readonly extension: 'jpg' | 'webp' };
  /** WebP in sRGB, longer side at most 320 px; of an animation its first frame. */
  readonly thumbnail: EncodedPicture;
  /** A ThumbHash in base64. */
  readonly placeholder: string;
  /** `DAMAGED`: shown as far as it can be read, some of it is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/**
 * Renders a photo with one decode: preview, thumbnail and placeholder, upright, never enlarged, on white where it is transparent, without
 * EXIF, XMP and GPS. Call it in a decoder child only (`decoderPool.ts`): the bytes may be hostile.
 *
 * 1. the preview, by the decoder of the format (`photoFormats.ts`)
 * 2. thumbnail and placeholder, cut from the preview, where converting to sRGB is cheap
 *
 * @throws DecodeError CORRUPT, TOO_LARGE, UNSUPPORTED, NO_PIXELS or OUT_OF_MEMORY.
 */
export async function renderPhoto(source: PhotoSource): Promise<RenderedPhoto> {
  const { still, moving, hasProfile, ...photo } = await makePreview(source);
  const { data, info } = await shrinkToSrgb(still.bytes, hasProfile);
  const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } };
  return {
    ...photo,
    format: source.format,
    isAnimated: moving !== undefined,
    preview: moving === undefined ? { ...still, extension: 'jpg' } : { ...moving, extension: 'webp' },
    thumbnail: {
      bytes: await sharp(data, pixels).webp({ quality: 75, effort: 2 }).toBuffer(),
      width: info.width,
      height: info.height,
    },
    placeholder: await makePlaceholder(data, pixels),
  };
}

/** Decoders besides sharp are loaded when a file needs them: a child that sees JPEGs only never holds their 100 MB. */
async function makePreview(source: PhotoSource): Promise<PhotoPreview> {
  switch (photoFormats[source.format].decoder) {
    case 'sharp':
      return previewWithSharp(source);
    case 'heif':
      return (await import('./heif/heifPhoto.ts')).previewHeif(source);
    case 'ffmpeg':
      return previewWithFfmpeg(source);
    // Of a RAW file the child is given the JPEG that was in it.
    case 'raw':
      throw new DecodeError('UNSUPPORTED', 'There is no decoder for this file format.');
  }
}

/** Where FFmpeg is missing, sharp shows the first picture of what moves. */
async function previewWithFfmpeg(source: PhotoSource): Promise<PhotoPreview> {
  if (source.format === 'apng' || source.format === 'avis') {
    const animations = await import('./ffmpeg/animatedPhoto.ts').catch(ignoreMissingModule);
    return animations?.previewAnimation(source) ?? previewWithSharp(source);
  }
  const pictures = await import('./ffmpeg/ffmpegPhoto.ts').catch(ignoreMissingModule);
  if (pictures !== undefined) return pictures.previewWithFfmpeg(source);
  throw new DecodeError('UNSUPPORTED', 'FFmpeg, which opens this file format, is not here.');
}

/**
 * The pixels of the thumbnail. Where the preview has a profile, they are converted when there are few of them: half the time, and the
 * two orders differ by less than the eye sees. A profile that turns out to be broken counts for nothing.
 */
async function shrinkToSrgb(preview: Buffer, hasProfile: boolean) {
  const small = sharp(preview, { ignoreIcc: hasProfile }).resize(thumbnailSize, thumbnailSize, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  if (!hasProfile) return small.raw().toBuffer({ resolveWithObject: true });
  try {
    const withProfile = await small.clone().keepIccProfile().png({ compressionLevel: 0 }).toBuffer();
    return await sharp(withProfile).raw().toBuffer({ resolveWithObject: true });
  } catch {
    return small.raw().toBuffer({ resolveWithObject: true });
  }
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
