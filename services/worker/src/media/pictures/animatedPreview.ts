import sharp, { type Metadata } from 'sharp';
import { previewSize, type EncodedPicture, type PhotoSource } from './photoPreview.ts';

/** Most pixels of all frames together that are decoded for a preview that moves: ten seconds of 720p at ten frames a second. */
export const maxDecodedPixels = 100e6;

/** Most pixels of all frames together in a preview that moves; they take 55 ns of CPU each (2026-11). */
const maxEncodedPixels = 30e6;

/** How many frames of an animation are shown: the first ones, if it is long and large. With fewer than two it does not move. */
export const countFrames = (frames: number, { width, height }: { width: number; height: number }): number =>
  Math.min(frames, Math.floor(maxDecodedPixels / (width * height)));

/** Longer side of a preview that moves, in pixels: the more frames the smaller, never enlarged. */
export const movingSize = (frames: number, { width, height }: { width: number; height: number }): number => {
  const longer = Math.max(width, height);
  const scale = Math.sqrt(maxEncodedPixels / (frames * width * height));
  return Math.max(1, Math.floor(Math.min(previewSize, longer, longer * scale)));
};

/** How previews that move are encoded: effort 2 makes them a fifth smaller than 0 for 5 % more CPU. */
export const movingWebp = { quality: 75, effort: 2 } as const;

/** The preview of an animated GIF or WebP; undefined where there is one frame, or where the others cannot be read. */
export async function animateWithSharp(
  { path, format }: PhotoSource,
  { width, height, pages = 1 }: Metadata,
): Promise<EncodedPicture | undefined> {
  if (format !== 'gif' && format !== 'webp') return undefined;
  const frames = countFrames(pages, { width, height });
  if (frames < 2) return undefined;
  const size = movingSize(frames, { width, height });
  try {
    const { data, info } = await sharp(path, { pages: frames, failOn: 'none', limitInputPixels: false })
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .webp(movingWebp)
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
  } catch {
    return undefined;
  }
}
