import type { FileHandle } from 'node:fs/promises';

/** Where something lies in a file: from the first byte to the one behind the last. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2) in a file, of which only the header has been read. */
export interface FileBox extends Span {
  readonly type: string;
  /** Where its contents begin. */
  readonly body: number;
}

/** More than any file has beside one another: `moof` and `mdat` of a long stream are not walked through. */
const maxBoxes = 1_000;

/** The boxes that stand one behind another in a span; the last one ends with the span, if it claims to be longer. */
export async function* walkBoxes(file: FileHandle, { begin, end }: Span): AsyncGenerator<FileBox> {
  const header = Buffer.alloc(16);
  for (let at = begin, count = 0; at + 8 <= end && count < maxBoxes; count += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    if (bytesRead < 8) return;
    const [short, headerBytes] = [header.readUInt32BE(0), header.readUInt32BE(0) === 1 ? 16 : 8];
    const length = short === 0 ? end - at : short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < headerBytes) return;
    const type = header.toString('latin1', 4, 8);
    yield { type, begin: at, body: Math.min(at + headerBytes, end), end: Math.min(at + length, end) };
    at += length;
  }
}
