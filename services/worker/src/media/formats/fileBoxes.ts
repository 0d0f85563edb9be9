import type { FileHandle } from 'node:fs/promises';

/** A byte range of a file; `end` is exclusive. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2) in a file. Only its header has been read. */
export interface FileBox extends Span {
  readonly type: string;
  /** Position of its contents. */
  readonly body: number;
}

/** Maximum number of sibling boxes to read. Only long streams have more, as pairs of `moof` and `mdat`. */
const maxBoxes = 1_000;

/** Yields the boxes of a span, in order. A last box longer than the span is truncated at the end of the span. */
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
