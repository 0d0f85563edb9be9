import { open, type FileHandle } from 'node:fs/promises';
import { isRawTiff } from './tiffDirectory.ts';
import type { PhotoFormat } from './photoFormats.ts';

/** Bytes examined at the start of a file. A PNG may have a large colour profile before the animation chunk. */
const headBytes = 64 * 1024;

/**
 * Detects the format of a file by its bytes, regardless of name and MIME type. Undefined if no decoder supports it. Distinguishes a damaged JPEG from
 * an unsupported SVG, which the errors of decoders do not. Safe to run in the worker itself: it parses a few length-checked fields and decodes
 * nothing.
 */
export async function findPhotoFormat(path: string): Promise<PhotoFormat | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position: 0 });
    const format = detectFormat(buffer.subarray(0, bytesRead));
    return format === 'tiff' && (await isRaw(file)) ? 'raw' : format;
  } finally {
    await file.close();
  }
}

function detectFormat(head: Buffer): PhotoFormat | undefined {
  const text = head.toString('latin1', 0, 16);
  if (text.slice(4, 8) === 'ftyp') return detectFormatByBrands(head);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return isAnimatedPng(head) ? 'apng' : 'png';
  if (text.startsWith('BM')) return isBitmap(head) ? 'bmp' : undefined;
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  const format = signatures.find(([signature]) => text.startsWith(signature))?.[1];
  return format === 'tiff' && rawMarkers.some((mark) => text.startsWith(mark, 8)) ? 'raw' : format;
}

/** Markers at byte 8 of Canon's CR2 and Phase One's IIQ, which begin like a TIFF. */
const rawMarkers = ['CR\x02', 'IIII', 'MMMM'] as const;

/** First bytes, in Latin-1. */
const signatures: readonly (readonly [string, PhotoFormat])[] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['\xff\x0a', 'jxl'],
  ['\0\0\0\x0cJXL \r\n\x87\n', 'jxl'],
  ['\0\0\0\x0cjP  \r\n\x87\n', 'jp2'],
  ['\xff\x4f\xff\x51', 'jp2'],
  ['8BPS\0\x01', 'psd'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['II+\0', 'tiff'],
  ['MM\0+', 'tiff'],
  // Olympus ORF, Panasonic RW2, Fujifilm RAF, Canon CRW, Minolta MRW.
  ['IIRO', 'raw'],
  ['IIRS', 'raw'],
  ['MMOR', 'raw'],
  ['IIU\0', 'raw'],
  ['FUJIFILMCCD-RAW', 'raw'],
  ['II\x1a\0\0\0HEAPCC', 'raw'],
  ['\0MRM', 'raw'],
];

/** Reads the major brand, the version and the compatible brands (ISO/IEC 14496-12, 4.3). Undefined for the brands of videos. */
function detectFormatByBrands(head: Buffer): PhotoFormat | undefined {
  const end = Math.min(head.length < 4 ? 0 : head.readUInt32BE(0), head.length, 256);
  const brands = Array.from({ length: Math.max(0, Math.floor((end - 8) / 4)) }, (_, i) =>
    head.toString('latin1', 8 + 4 * i, 12 + 4 * i),
  );
  const [major = ''] = brands;
  if (major === 'crx ') return 'raw';
  if (major === 'avis') return 'avis';
  if (major === 'avif') return brands.includes('avis') ? 'avis' : 'avif';
  if (heifBrands.has(major)) return brands.includes('avif') && !brands.includes('heic') ? 'avif' : 'heif';
  return undefined;
}

/** Brands of pictures coded with HEVC, and with any codec (ISO/IEC 23008-12, 10). */
const heifBrands: ReadonlySet<string> = new Set('heic heix heim heis hevc hevx hevm hevs mif1 msf1'.split(' '));

/** True if a PNG has APNG's control chunk, which precedes the pixels (w3.org/TR/png-3, 5.6). */
function isAnimatedPng(head: Buffer): boolean {
  for (let at = 8; at + 8 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Checks the header size, in bytes. A text may start with "BM", but not followed by a valid header size. */
const isBitmap = (head: Buffer): boolean =>
  head.length >= 18 && [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14));

const isRaw = async (file: FileHandle): Promise<boolean> =>
  isRawTiff(async (position, length) => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  });
