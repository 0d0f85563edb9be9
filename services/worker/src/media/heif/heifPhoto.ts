import { open, type FileHandle, readFile, stat } from 'node:fs/promises';
import { checkPixels, throwCorrupt, DecodeError } from '../errors/decodeError.ts';
import { ignoreMissingModule } from '../errors/missingModule.ts';
import type { PhotoPreview, PhotoSource } from '../pictures/photoPreview.ts';
import { renderPixelPreview, type Pixels } from '../pictures/pixelPreview.ts';
import { BoxSyntaxError } from '../formats/isoBoxes.ts';
import {
  findTiledPicture,
  hasTransparency,
  readHeifItems,
  readProfile,
  readStatedSize,
  type HeifPicture,
} from './heifPicture.ts';
import type { HeifItems } from './heifItems.ts';
import type { HeifImage } from 'libheif-js/wasm-bundle.js';

/**
 * Makes the preview of a HEIC or HEIF.
 * 1. Parse the boxes of the file: primary picture, size, tiles, rotation and colour.
 * 2. Decode what phones write (HEVC, single tile or grid, 4:2:0) with FFmpeg. FFmpeg needs a third of libheif-js' CPU time and half its memory.
 * 3. Decode everything else with libheif-js, also if FFmpeg is missing.
 * @throws DecodeError CORRUPT, TOO_LARGE or OUT_OF_MEMORY
 */
export async function previewHeif(source: PhotoSource): Promise<PhotoPreview> {
  const file = await open(source.path);
  try {
    const header = await readHeader(file);
    if (header !== undefined) checkPixels(header.size, source.maxPixels);
    const picture = header?.picture && (await previewTiles(file, header.picture));
    return picture ?? (await previewWithLibheif(source, header?.items));
  } finally {
    await file.close();
  }
}

/** Parses the boxes of a file; undefined if this parser does not support them (libheif may). */
async function readHeader(file: FileHandle) {
  try {
    const items = await readHeifItems(file);
    return { items, size: readStatedSize(items), picture: findTiledPicture(items) };
  } catch (error) {
    if (error instanceof BoxSyntaxError) return undefined;
    throw error;
  }
}

/** Makes the preview with FFmpeg; undefined if FFmpeg is missing or cannot decode this picture. */
async function previewTiles(file: FileHandle, picture: HeifPicture): Promise<PhotoPreview | undefined> {
  const tileDecoder = await import('./decodeTiles.ts').catch(ignoreMissingModule);
  const decoded = await tileDecoder?.decodeTiles(file, picture);
  return decoded && renderPixelPreview(decoded.pixels, { ...picture, hasAlpha: false, isDamaged: decoded.missing > 0 });
}

async function previewWithLibheif(
  { path, maxPixels }: PhotoSource,
  items: HeifItems | undefined,
): Promise<PhotoPreview> {
  const pixels = await decodeWithLibheif(path, maxPixels).catch(throwCorrupt);
  return renderPixelPreview(pixels, {
    width: pixels.width,
    height: pixels.height,
    rotation: { degrees: 0, mirrored: false },
    icc: items && readProfile(items),
    hasAlpha: items !== undefined && hasTransparency(items),
    isDamaged: false,
  });
}

/** Maximum file size: the whole file is held in memory twice. */
const maxFileBytes = 256 * 1024 * 1024;

/** Decodes the primary picture of a file with libheif, rotated by its properties. @throws DecodeError CORRUPT, TOO_LARGE */
export async function decodeWithLibheif(path: string, maxPixels: number): Promise<Pixels> {
  if ((await stat(path)).size > maxFileBytes) throw new DecodeError('TOO_LARGE', 'The file is too large to open.');
  const bytes = await readFile(path);
  const { HeifDecoder } = (await import('libheif-js/wasm-bundle.js')).default;
  let images: readonly HeifImage[] = [];
  try {
    images = new HeifDecoder().decode(bytes);
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (image === undefined) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
    const [width, height] = [image.get_width(), image.get_height()];
    checkPixels({ width, height }, maxPixels);
    const target = { data: new Uint8ClampedArray(4 * width * height), width, height };
    const displayed = await new Promise((resolve) => image.display(target, resolve));
    if (displayed === null) throw new DecodeError('CORRUPT', 'The file is damaged: no picture could be read from it.');
    return { data: Buffer.from(target.data.buffer), width, height, channels: 4 };
  } finally {
    for (const image of images) image.free();
  }
}
