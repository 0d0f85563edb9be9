import { readBoxes } from '../formats/isoBoxes.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';

/** Size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size from the header of a file before it is decoded. This distinguishes too large pictures from damaged ones. Undefined if the header is
 * invalid; the decoder then decides.
 */
export function readHeaderSize(format: PhotoFormat, bytes: Buffer): Size | undefined {
  try {
    return readers[format]?.(bytes);
  } catch {
    return undefined;
  }
}

/** A negative height means top-down order (BITMAPINFOHEADER). Headers of 12 bytes have 16-bit sizes. */
const readBitmap = (bytes: Buffer): Size =>
  bytes.readUInt32LE(14) === 12
    ? { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) }
    : { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };

/** Reads the `SIZ` marker at the start of the code stream (ISO/IEC 15444-1, A.5.1): the area on the reference grid, minus its offset. */
const readJpeg2000 = (bytes: Buffer): Size | undefined => {
  const at = bytes.subarray(0, 1024 * 1024).indexOf('ff4fff51', 0, 'hex');
  if (at < 0) return undefined;
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => bytes.readUInt32BE(at + offset)) as [
    number,
    number,
    number,
    number,
  ];
  return { width: right - left, height: bottom - top };
};

/** Reads a bare code stream, or one in boxes: it starts in `jxlc`, or in the first `jxlp` after its sequence number. */
const readJpegXl = (bytes: Buffer): Size | undefined => {
  if (bytes.readUInt16BE(0) === 0xff0a) return readJpegXlStream(bytes);
  const box = readBoxes(bytes).find(({ type }) => type === 'jxlc' || type === 'jxlp');
  return box && readJpegXlStream(box.type === 'jxlp' ? box.body.subarray(4) : box.body);
};

/** Reads the size header after `FF 0A`, least significant bit first (ISO/IEC 18181-1, D.2). */
const readJpegXlStream = (stream: Buffer): Size => {
  let position = 16;
  const bits = (count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, position += 1) {
      value += ((stream.readUInt8(position >> 3) >> (position & 7)) & 1) * 2 ** bit;
    }
    return value;
  };
  const isSmall = bits(1) === 1;
  const length = (): number => (isSmall ? 8 * (bits(5) + 1) : bits([9, 13, 18, 30][bits(2)]!) + 1);
  const height = length();
  const ratio = jpegXlRatios[bits(3)];
  return { height, width: ratio === undefined ? length() : Math.floor(height * ratio) };
};

const jpegXlRatios = [undefined, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2] as const;

const readers: Partial<Record<PhotoFormat, (bytes: Buffer) => Size | undefined>> = {
  bmp: readBitmap,
  jp2: readJpeg2000,
  jxl: readJpegXl,
  psd: (bytes) => ({ width: bytes.readUInt32BE(18), height: bytes.readUInt32BE(14) }),
};
