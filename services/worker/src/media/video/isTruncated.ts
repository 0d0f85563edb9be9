import { open, type FileHandle } from 'node:fs/promises';
import { isMp4Truncated } from './isMp4Truncated.ts';
import { lengthRules } from './statedEnd.ts';

/** True if a video file is shorter than its container states, or if the last packet of an MPEG-TS is incomplete. */
export async function isTruncated(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  await file.read(head, 0, head.length, 0);
  const rule = lengthRules.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (rule !== undefined) return ((await rule.findEnd(file, size)) ?? 0) > size;
  return (await isMpegTsTruncated(file, size)) || (await isMp4Truncated(file, size));
}

/** Packet layouts of MPEG-TS: as broadcast, and with a timestamp before each packet, as on cameras and discs (MTS, M2TS). */
const packetFormats = [
  { packetBytes: 188, syncAt: 0 },
  { packetBytes: 192, syncAt: 4 },
] as const;

const syncByte = 0x47;

/** Number of packets checked to detect the layout. */
const packetsToCheck = 5;

/** True if the last packet of an MPEG-TS is incomplete (ISO/IEC 13818-1, 2.4.3). Ignores other data after the last packet. */
async function isMpegTsTruncated(file: FileHandle, size: number): Promise<boolean> {
  for (const { packetBytes, syncAt } of packetFormats) {
    const head = Buffer.alloc(packetsToCheck * packetBytes);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const isSync = (_: unknown, i: number): boolean => head[i * packetBytes + syncAt] === syncByte;
    if (bytesRead < head.length || !Array.from({ length: packetsToCheck }, isSync).every(Boolean)) continue;
    const rest = Buffer.alloc(size % packetBytes);
    await file.read(rest, 0, rest.length, size - rest.length);
    return rest[syncAt] === syncByte;
  }
  return false;
}
