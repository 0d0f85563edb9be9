import type { FileHandle } from 'node:fs/promises';
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUVJ420P } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { DecodeError } from '../errors/decodeError.ts';
import { toPixels } from '../ffmpeg/framePixels.ts';
import { openDecoder } from '../ffmpeg/openDecoder.ts';
import type { Pixels } from '../pictures/pixelPreview.ts';
import type { HeifItem } from './heifItems.ts';
import type { HeifPicture } from './heifPicture.ts';

/** A picture assembled from its tiles. */
export interface DecodedTiles {
  /** At most the size of a preview, not yet rotated upright. */
  readonly pixels: Pixels;
  /** Number of damaged tiles, which are grey. */
  readonly missing: number;
}

/** Maximum length of one extent, in bytes. */
const maxTileBytes = 64 * 1024 * 1024;

/**
 * Decodes a picture tile by tile with one decoder onto one YUV canvas, scales it down, and converts it to RGB. A damaged tile stays grey. Undefined
 * if all tiles are damaged, or have a pixel format that phones do not write.
 */
export async function decodeTiles(file: FileHandle, picture: HeifPicture): Promise<DecodedTiles | undefined> {
  const { tileWidth, tileHeight, configuration } = picture;
  using decoder = openDecoder('heif', { maxPixels: 2 * tileWidth * tileHeight + 65_536, configuration });
  let canvas: Frame | undefined;
  let missing = 0;
  try {
    for (const [index, tile] of picture.tiles.entries()) {
      try {
        const [frame] = await decoder.decode(await readItem(file, tile, picture.data));
        using decoded = frame!;
        canvas ??= makeCanvas(decoded, picture);
        if (canvas === undefined) return undefined;
        copyTile(decoded, canvas, index, picture);
      } catch (error) {
        if (!(error instanceof DecodeError && error.code === 'CORRUPT')) throw error;
        missing += 1;
      }
    }
    if (canvas === undefined) return undefined;
    return { pixels: await toPixels(canvas, { hasAlpha: false }), missing };
  } finally {
    canvas?.free();
  }
}

async function readItem(file: FileHandle, { extents }: HeifItem, data: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { isInBox, offset, length } of extents) {
    if (length === 0 || length > maxTileBytes)
      throw new DecodeError('CORRUPT', 'The file is damaged: an extent has no length.');
    if (isInBox) {
      parts.push(data.subarray(offset, offset + length));
    } else {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position: offset });
      parts.push(buffer.subarray(0, bytesRead));
    }
  }
  return Buffer.concat(parts);
}

/** Bytes per sample of the supported pixel formats. */
const sampleBytes: ReadonlyMap<number, 1 | 2> = new Map([
  [AV_PIX_FMT_YUV420P, 1],
  [AV_PIX_FMT_YUVJ420P, 1],
  [AV_PIX_FMT_YUV420P10LE, 2],
]);

/** Makes a grey frame for the whole picture, in the pixel format of this tile; undefined for a pixel format that phones do not write. */
function makeCanvas(tile: Frame, { width, height, coding }: HeifPicture): Frame | undefined {
  const bytes = sampleBytes.get(tile.format);
  if (bytes === undefined) return undefined;
  const canvas = new Frame();
  canvas.alloc();
  // The J formats are the same as those without J, but full range. The frame has its own field for the range.
  canvas.format = bytes === 1 ? AV_PIX_FMT_YUV420P : tile.format;
  canvas.width = width;
  canvas.height = height;
  if (canvas.getBuffer(64) < 0) throw new DecodeError('OUT_OF_MEMORY', 'Not enough memory to decode the picture.');
  // FFmpeg uses the numbers of H.273 for the matrix, and 1 (limited) and 2 (full) for the range.
  canvas.colorSpace = (coding?.matrix ?? tile.colorSpace) as typeof tile.colorSpace;
  canvas.colorRange = (coding === undefined ? tile.colorRange : coding.isFullRange ? 2 : 1) as typeof tile.colorRange;
  for (const plane of canvas.data ?? []) plane.fill(bytes === 1 ? Buffer.from([0x80]) : Buffer.from([0x00, 0x02]));
  return canvas;
}

/** Copies the part of a tile inside the picture, plane by plane. Colour planes have half the columns and rows. */
function copyTile(tile: Frame, canvas: Frame, index: number, { columns, tileWidth, tileHeight }: HeifPicture): void {
  const isWhole =
    sampleBytes.get(tile.format) === sampleBytes.get(canvas.format) &&
    tile.width >= tileWidth &&
    tile.height >= tileHeight;
  const [from, to] = [tile.data, canvas.data];
  if (!isWhole || from === null || to === null)
    throw new DecodeError('CORRUPT', 'The file is damaged: tiles have different formats.');
  const bytes = sampleBytes.get(tile.format) ?? 1;
  const [left, top] = [(index % columns) * tileWidth, Math.floor(index / columns) * tileHeight];
  const [width, height] = [Math.min(tileWidth, canvas.width - left), Math.min(tileHeight, canvas.height - top)];
  for (const [plane, shift] of [0, 1, 1].entries()) {
    const [fromStride, toStride] = [tile.linesize[plane]!, canvas.linesize[plane]!];
    const rowBytes = ((width + shift) >> shift) * bytes;
    const start = (top >> shift) * toStride + (left >> shift) * bytes;
    for (let row = 0; row < (height + shift) >> shift; row += 1) {
      from[plane]!.copy(to[plane]!, start + row * toStride, row * fromStride, row * fromStride + rowBytes);
    }
  }
}
