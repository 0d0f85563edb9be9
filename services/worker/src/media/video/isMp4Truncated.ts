import type { FileHandle } from 'node:fs/promises';

/** Maximum number of top-level boxes. A fragmented MP4 has two per fragment. */
const maxBoxes = 100_000;

/** Boxes that an MP4 or MOV may begin with. */
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/** Boxes that are required to show a video or a fragment. */
const neededBoxes: ReadonlySet<string> = new Set(['moov', 'mdat', 'moof']);

/**
 * True if an MP4 or MOV ends before the end of its index and its frames (ISO/IEC 14496-12, 4.2). Ignores incomplete boxes after these: programs append
 * zeros and their own data.
 */
export async function isMp4Truncated(file: FileHandle, size: number): Promise<boolean> {
  const header = Buffer.alloc(16);
  const seen = new Set<string>();
  for (let at = 0, count = 0; at + 8 <= size && count < maxBoxes; count += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    const type = header.toString('latin1', 4, 8);
    if (count === 0 && !firstBoxes.has(type)) return false;
    const isWhole = seen.has('moov') && seen.has('mdat');
    const isNeeded = neededBoxes.has(type);
    const short = header.readUInt32BE(0);
    // A length of 0 means up to the end of the file. 1 means that a 64-bit length follows.
    if (short === 0) return !isNeeded && !isWhole;
    const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8 || at + length > size) return isNeeded || !isWhole;
    seen.add(type);
    // The frames of a fragment follow its index.
    if (type === 'moof') seen.delete('mdat');
    at += length;
  }
  return seen.has('moof') && !seen.has('mdat');
}
