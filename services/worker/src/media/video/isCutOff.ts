import { open } from 'node:fs/promises';

/** Boxes on the outermost level at most: a film in fragments has two for each of them. */
const maxBoxes = 100_000;

/** Whether an MP4 or MOV ends before its last box does (ISO/IEC 14496-12, 4.2). Others do not tell how long they should be. */
export async function isCutOff(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const header = Buffer.alloc(16);
  let at = 0;
  for (let count = 0; count < maxBoxes && at + 8 <= size; count += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    const isMp4 = count > 0 || firstBoxes.has(header.toString('latin1', 4, 8));
    if (!isMp4) return false;
    const short = header.readUInt32BE(0);
    // 0: to the end of the file; 1: the length follows in 64 bits.
    if (short === 0) return false;
    const length = short === 1 && bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return true;
    at += length;
  }
  return at > size;
}

const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
