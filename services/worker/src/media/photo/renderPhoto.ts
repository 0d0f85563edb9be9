import { DecodeError } from '../errors/decodeError.ts';
import { finishPreview } from '../pictures/finishPreview.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import { photoFormats, type PhotoFormat } from '../formats/photoFormats.ts';
import type { PhotoPreview, PhotoSource } from '../pictures/photoPreview.ts';
import type { RenderedPicture } from '../pictures/renderedPicture.ts';
import { previewWithSharp } from './sharpPhoto.ts';

/** Pictures of a photo for display. */
export interface RenderedPhoto extends RenderedPicture {
  readonly format: PhotoFormat;
}

/**
 * Renders preview, thumbnail and placeholder of a photo with one decode: upright, never enlarged, on white instead of transparency, without EXIF, XMP
 * and GPS. Call it in a decoder child only (`decoderPool.ts`): the bytes are untrusted.
 * 1. Make the preview with the decoder of the format (`photoFormats.ts`).
 * 2. Make thumbnail and placeholder from the preview (`finishPreview.ts`).
 * @throws DecodeError CORRUPT, TOO_LARGE, UNSUPPORTED, NO_PIXELS or OUT_OF_MEMORY
 */
export const renderPhoto = async (source: PhotoSource): Promise<RenderedPhoto> => ({
  ...(await finishPreview(await renderPreview(source))),
  format: source.format,
});

/** Decoders other than sharp are loaded on demand: a child that decodes only JPEGs saves their 100 MB. */
async function renderPreview(source: PhotoSource): Promise<PhotoPreview> {
  switch (photoFormats[source.format].decoder) {
    case 'sharp':
      return previewWithSharp(source);
    case 'heif':
      return (await import('../heif/heifPhoto.ts')).previewHeif(source);
    case 'ffmpeg':
      return previewWithFfmpeg(source);
    // A RAW file is never sent to a child, only a preview embedded in it.
    case 'raw':
      throw new DecodeError('UNSUPPORTED', 'No decoder for this file format.');
  }
}

/** Makes the preview with FFmpeg. Without FFmpeg, sharp shows the first picture of an animation. */
async function previewWithFfmpeg(source: PhotoSource): Promise<PhotoPreview> {
  if (source.format === 'apng' || source.format === 'avis') {
    const animations = await import('../ffmpeg/animatedPhoto.ts').catch(ignoreMissingModule);
    return animations?.previewAnimation(source) ?? previewWithSharp(source);
  }
  const pictures = await import('../ffmpeg/ffmpegPhoto.ts').catch(ignoreMissingModule);
  if (pictures !== undefined) return pictures.previewWithFfmpeg(source);
  throw new DecodeError('UNSUPPORTED', 'FFmpeg is missing; this file format cannot be opened.');
}
