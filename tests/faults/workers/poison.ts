import { toPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A PNG of one colour: 16 bits each of red, green, blue and alpha, all 0. */
export interface FlatPng {
  readonly width: number;
  readonly height: number;
  /**
   * Stored in seven passes (Adam7). A decoder must hold the whole image, 8 bytes per pixel, before it can output a row.
   */
  readonly isInterlaced?: boolean;
  /** Share of the image data that is present. The rest of the file is cut off. */
  readonly share?: number;
}

/**
 * Makes a PNG with a small file that needs much time or memory to decode: 8 bytes per pixel compress to 1/1000. It is
 * built within milliseconds, because every MiB of zeros compresses to the same bytes.
 */
export const makeFlatPng = ({ width, height, isInterlaced = false, share = 1 }: FlatPng): Buffer => {
  const sizeBytes = isInterlaced
    ? adam7.reduce(
        (sum, [x, dx, y, dy]) => sum + passBytes(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
        0,
      )
    : passBytes(width, height);
  const wholePieces = Math.floor((sizeBytes / pieceBytes) * share);
  const end = [compressZeros(sizeBytes % pieceBytes), emptyLastBlock, computeAdlerOfZeros(sizeBytes)];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, rgba, 0, 0, isInterlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', [
      zlibHeader,
      ...Array.from({ length: wholePieces }, () => compressedPiece),
      ...(share === 1 ? end : []),
    ]),
    chunk('IEND', []),
  ]);
};

/** Makes a picture that decodes for several seconds, so that a test can freeze or kill the worker meanwhile. */
export const makeSlowPicture = (): Photo => toPhoto('slow.png', makeFlatPng({ width: 8_000, height: 40_000 }));

/** Colour type "truecolour with alpha" (https://www.w3.org/TR/png-3/#11IHDR). */
const rgba = 6;

/** First column, column step, first row and row step of each pass (https://www.w3.org/TR/png-3/#8InterlaceMethods). */
const adam7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

/** Size of a pass in bytes. A row is one filter byte plus 8 bytes per pixel. */
const passBytes = (columns: number, rows: number): number => (columns === 0 ? 0 : rows * (1 + columns * 8));

const pieceBytes = 2 ** 20;

/** A full flush ends on a byte boundary and resets the dictionary, so that the pieces can be concatenated. */
const compressZeros = (length: number): Buffer =>
  deflateRawSync(Buffer.alloc(length), { level: 9, finishFlush: constants.Z_FULL_FLUSH });

const compressedPiece = compressZeros(pieceBytes);
const zlibHeader = Buffer.from([0x78, 0x01]);
const emptyLastBlock = Buffer.from([0x03, 0x00]);

/** Adler-32 of zeros: the first sum stays 1, the second counts the bytes modulo 65521 (RFC 1950). */
const computeAdlerOfZeros = (length: number): Buffer => {
  const sums = Buffer.alloc(4);
  sums.writeUInt16BE(length % 65_521, 0);
  sums.writeUInt16BE(1, 2);
  return sums;
};

const chunk = (type: string, parts: Buffer | readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...(Buffer.isBuffer(parts) ? [parts] : parts)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};
