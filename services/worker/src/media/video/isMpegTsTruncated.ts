import type { FileHandle } from 'node:fs/promises';

/** The two packet layouts of MPEG-TS: as broadcast, and with a time before each packet, as on cameras and discs (MTS, M2TS). */
const packings = [
  { packetBytes: 188, syncAt: 0 },
  { packetBytes: 192, syncAt: 4 },
] as const;

const sync = 0x47;

/** Packets at the beginning that have to look like packets. */
const packetsLookedAt = 5;

/** Whether the last packet of an MPEG-TS is incomplete (ISO/IEC 13818-1, 2.4.3). Other data behind the last packet does not count. */
export async function isMpegTsTruncated(file: FileHandle, size: number): Promise<boolean> {
  for (const { packetBytes, syncAt } of packings) {
    const head = Buffer.alloc(packetsLookedAt * packetBytes);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const isSync = (_: unknown, i: number): boolean => head[i * packetBytes + syncAt] === sync;
    if (bytesRead < head.length || !Array.from({ length: packetsLookedAt }, isSync).every(Boolean)) continue;
    const rest = Buffer.alloc(size % packetBytes);
    await file.read(rest, 0, rest.length, size - rest.length);
    return rest[syncAt] === sync;
  }
  return false;
}
