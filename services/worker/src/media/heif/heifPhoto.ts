import { open } from 'node:fs/promises';
import { checkPixels, throwCorrupt } from '../decodeLimits.ts';
import { ignoreMissingModule } from '../missingModule.ts';
import type { PhotoPreview, PhotoSource } from '../photoPreview.ts';
import { previewOfPixels } from '../pixelPreview.ts';
import { HeifSyntaxError } from './boxes.ts';
import { decodeWithLibheif } from './decodeWithLibheif.ts';
import { findTiledPicture, hasTransparency, readHeifItems, readProfile, readStatedSize } from './heifPicture.ts';
import type { HeifItems } from './heifItems.ts';

/**
 * The preview of a HEIC or HEIF.
 *
 * 1. the boxes of the file: the primary picture, its size, tiles, turns and colours
 * 2. what phones write, HEVC in a single tile or a grid of 4:2:0 tiles: FFmpeg decodes them, a third of libheif-js' CPU and half its memory
 * 3. everything else, and where FFmpeg is missing: libheif-js
 *
 * @throws DecodeError CORRUPT, TOO_LARGE or OUT_OF_MEMORY.
 */
export async function previewHeif(source: PhotoSource): Promise<PhotoPreview> {
  const items = await readItems(source.path);
  if (items !== undefined) checkPixels(readStatedSize(items), source.maxPixels);
  return (await previewTiles(source, items)) ?? previewWithLibheif(source, items);
}

/** Undefined for what this reader does not follow, which libheif may. */
async function readItems(path: string): Promise<HeifItems | undefined> {
  const file = await open(path);
  try {
    return await readHeifItems(file);
  } catch (error) {
    if (error instanceof HeifSyntaxError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

async function previewTiles({ path }: PhotoSource, items: HeifItems | undefined): Promise<PhotoPreview | undefined> {
  const picture = items && findTiledPicture(items);
  const tiles = picture && (await import('./decodeTiles.ts').catch(ignoreMissingModule));
  if (picture === undefined || tiles === undefined) return undefined;
  const file = await open(path);
  try {
    const decoded = await tiles.decodeTiles(file, picture);
    return (
      decoded &&
      (await previewOfPixels(decoded.pixels, { ...picture, hasAlpha: false, isDamaged: decoded.missing > 0 }))
    );
  } finally {
    await file.close();
  }
}

async function previewWithLibheif(
  { path, maxPixels, memoryLimitBytes }: PhotoSource,
  items: HeifItems | undefined,
): Promise<PhotoPreview> {
  const pixels = await decodeWithLibheif(path, { maxPixels, memoryLimitBytes }).catch(throwCorrupt);
  return previewOfPixels(pixels, {
    width: pixels.width,
    height: pixels.height,
    turn: { degrees: 0, mirrored: false },
    icc: items && readProfile(items),
    hasAlpha: items !== undefined && hasTransparency(items),
    isDamaged: false,
  });
}
