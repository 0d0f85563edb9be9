import { fileTypeFromBuffer } from 'file-type';
import type { MediaItemType } from '@hearth/contract/vocabulary.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/** Bytes needed to detect a file type. A PNG may have a large colour profile before its animation marker. */
export const headBytes = 64 * 1024;

export interface MediaKind {
  readonly mimeType: string;
  readonly type: MediaItemType;
}

/**
 * Detects the type of a file from its first `headBytes`, or all bytes of a smaller file.
 * @throws AppError NOT_MEDIA
 */
export const detectKind = async (head: Buffer): Promise<MediaKind> => {
  if (head.length === 0) throw new AppError('NOT_MEDIA', 'the file is empty');
  const mimeType = await detectMimeType(head);
  if (mimeType !== undefined && photoTypes.has(mimeType)) return { mimeType, type: 'PHOTO' };
  if (mimeType?.startsWith('video/')) return { mimeType, type: 'VIDEO' };
  throw new AppError('NOT_MEDIA', `the file is not a photo or video${mimeType === undefined ? '' : ` (${mimeType})`}`);
};

/** Returns the filename extension of a type, for uploads without a filename. */
export const getExtension = (mimeType: string): string =>
  extensions.get(mimeType) ?? mimeType.replace(/^.*[/-]/, '').replaceAll(/[^a-z0-9]/g, '');

/** Extensions that are not the last part of their type, unlike those of `image/png` and `image/x-adobe-dng`. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/heic-sequence', 'heic'],
  ['image/heif-sequence', 'heif'],
  ['image/vnd.ms-photo', 'jxr'],
  ['image/vnd.adobe.photoshop', 'psd'],
  ['video/quicktime', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/matroska', 'mkv'],
  ['video/x-msvideo', 'avi'],
  ['video/vnd.avi', 'avi'],
  ['video/mpeg', 'mpg'],
  ['video/3gpp', '3gp'],
  ['video/3gpp2', '3g2'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/x-ms-asf', 'asf'],
]);

/** Detects the type of a file while it arrives. */
export interface KindDetector {
  /** Adds the next bytes. */
  look(chunk: Buffer): void;
  /**
   * Returns undefined until enough bytes have arrived.
   * @throws AppError NOT_MEDIA
   */
  kind(): Promise<MediaKind | undefined>;
}

/**
 * Creates a detector for a file whose first bytes, `seen`, have already arrived. `known` is its type if already
 * detected.
 */
export const createKindDetector = (known: MediaKind | undefined, seen: Buffer, lengthBytes: number): KindDetector => {
  let verdict = known && Promise.resolve(known);
  let head = [seen];
  let length = seen.length;
  return {
    look: (chunk) => {
      if (verdict !== undefined) return;
      head.push(chunk);
      length += chunk.length;
      if (length < headBytes && length < lengthBytes) return;
      verdict = detectKind(Buffer.concat(head));
      verdict.catch(() => undefined);
      head = [];
    },
    kind: async () => verdict,
  };
};

/**
 * Image types that count as photos: those of cameras, phones, scanners and image editors. Others are icons or technical
 * drawings.
 */
const photoTypes: ReadonlySet<string> = new Set(
  (
    'jpeg png webp gif bmp tiff avif heic heif heic-sequence heif-sequence jxl jp2 jpx jpm mj2 vnd.ms-photo ' +
    'vnd.adobe.photoshop x-adobe-dng x-canon-cr2 x-canon-cr3 x-nikon-nef x-sony-arw x-fujifilm-raf x-olympus-orf ' +
    'x-panasonic-rw2'
  )
    .split(' ')
    .map((name) => `image/${name}`),
);

/** Types that `file-type` names differently. An MXF counts as a video. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['application/mxf', 'video/mxf'],
]);

/**
 * Header sizes of bitmaps, in bytes. A text may start with a bitmap's two letters, but not with such a header after
 * them.
 */
const bitmapHeaderSizes: ReadonlySet<number> = new Set([12, 40, 52, 56, 64, 108, 124]);

/**
 * Signatures of formats for which `file-type` needs bytes beyond the head and otherwise detects nothing: PNG (animation
 * marker) and TIFF-based formats in both byte orders (a directory that is often at the end).
 */
const signatures = [
  { bytes: Buffer.from('89504e470d0a1a0a', 'hex'), mimeType: 'image/png' },
  { bytes: Buffer.from('49492a00', 'hex'), mimeType: 'image/tiff' },
  { bytes: Buffer.from('4d4d002a', 'hex'), mimeType: 'image/tiff' },
] as const;

/**
 * Detects raw DV from camcorder tapes, which `file-type` does not know: a header block and a subcode block of 80 bytes
 * each (IEC 61834-2).
 */
const isRawDv = (head: Buffer): boolean =>
  head.length >= 83 &&
  head.readUIntBE(0, 3) === 0x1f_07_00 &&
  (head[3] === 0x3f || head[3] === 0xbf) &&
  head[80]! >> 5 === 1 &&
  head[82] === 0;

const detectMimeType = async (head: Buffer): Promise<string | undefined> => {
  // `file-type` returns two MPEG types in upper case, which signed links do not allow.
  const found = (await fileTypeFromBuffer(head))?.mime.toLowerCase();
  if (found === undefined) {
    if (isRawDv(head)) return 'video/dv';
    return signatures.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes))?.mimeType;
  }
  if (found === 'image/bmp' && !(head.length >= 18 && bitmapHeaderSizes.has(head.readUInt32LE(14)))) return undefined;
  return renamed.get(found) ?? found;
};
