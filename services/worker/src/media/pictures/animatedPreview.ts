import sharp, { type Metadata } from 'sharp';
import { previewSize, type EncodedPicture, type PhotoSource } from './photoPreview.ts';

/** Maximum total pixels of all frames decoded for an animated preview: ten seconds of 720p at ten frames a second. */
export const maxDecodedPixels = 100e6;

/** Maximum total pixels of all frames in an animated preview. Each takes 55 ns of CPU time (2026-11). */
const maxEncodedPixels = 30e6;

/** Returns the number of frames of an animation to show, from the first one on. With fewer than two, the preview is a still picture. */
export const countFrames = (frames: number, { width, height }: { width: number; height: number }): number =>
  Math.min(frames, Math.floor(maxDecodedPixels / (width * height)));

/** Returns the longer side of an animated preview, in pixels: the more frames, the smaller. Never enlarges. */
export const fitMovingSize = (frames: number, { width, height }: { width: number; height: number }): number => {
  const longerSide = Math.max(width, height);
  const scale = Math.sqrt(maxEncodedPixels / (frames * width * height));
  return Math.max(1, Math.floor(Math.min(previewSize, longerSide, longerSide * scale)));
};

/** Effort 2 makes animated previews a fifth smaller than 0, for 5 % more CPU time. */
export const animatedWebpOptions = { quality: 75, effort: 2 } as const;

/** Makes the preview of an animated GIF or WebP; undefined for a still picture, for frames that are too large, and if frames cannot be read. */
export async function animateWithSharp(
  { path, format }: PhotoSource,
  { width, height, pages = 1 }: Metadata,
): Promise<EncodedPicture | undefined> {
  if (format !== 'gif' && format !== 'webp') return undefined;
  const frames = countFrames(pages, { width, height });
  if (frames < 2) return undefined;
  const size = fitMovingSize(frames, { width, height });
  try {
    const { data, info } = await sharp(path, { pages: frames, failOn: 'none', limitInputPixels: false })
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .webp(animatedWebpOptions)
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
  } catch {
    return undefined;
  }
}
