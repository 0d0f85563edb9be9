/** A picture with many scans. Each scan has a few hundred bytes, but makes the decoder pass over all blocks. */
export interface ScannedJpeg {
  readonly width: number;
  readonly height: number;
  readonly scans: number;
  /** Written as a comment, to make distinct files. */
  readonly comment?: string;
}

/**
 * Makes a progressive grey JPEG without details (ITU-T T.81, annex G). The first scan contains the mean of each block,
 * which is 0. The other scans add nothing.
 */
export function makeScannedJpeg({ width, height, scans, comment = '' }: ScannedJpeg): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  const emptyScan = Buffer.concat([segment(0xda, [1, 1, 0, 1, 63, 0]), encodeEndRuns(blocks)]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xfe, Buffer.from(comment)),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc2, [8, ...size, 1, 1, 0x11, 0]),
    // One 1-bit code: no difference to the previous block.
    segment(0xc4, [0x00, ...lengths({ 1: 1 }), 0]),
    // Fifteen 4-bit codes, in order: end-of-band runs of at least 2^n blocks.
    segment(0xc4, [0x10, ...lengths({ 4: 15 }), ...Array.from({ length: 15 }, (_, n) => n << 4)]),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    packBits(Array.from({ length: blocks }, () => [0, 1])),
    ...Array.from({ length: scans - 1 }, () => emptyScan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Returns the number of codes of each length from 1 to 16 bits. */
const lengths = (counts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 16 }, (_, index) => counts[index + 1] ?? 0);

/** Encodes end-of-band runs over all blocks. */
function encodeEndRuns(blocks: number): Buffer {
  const bits: [value: number, length: number][] = [];
  for (let left = blocks; left > 0;) {
    const n = Math.min(14, Math.floor(Math.log2(left)));
    const run = Math.min(left, 2 ** (n + 1) - 1);
    bits.push([n, 4], [run - 2 ** n, n]);
    left -= run;
  }
  return packBits(bits);
}

/** Packs values with their bit lengths, padded with ones. A zero byte follows each byte 0xFF. */
function packBits(values: readonly (readonly number[])[]): Buffer {
  const bytes: number[] = [];
  let [byte, filled] = [0, 0];
  const put = (bit: number): void => {
    byte = (byte << 1) | bit;
    filled += 1;
    if (filled < 8) return;
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
    [byte, filled] = [0, 0];
  };
  for (const [value = 0, length = 0] of values) for (let i = length - 1; i >= 0; i -= 1) put((value >> i) & 1);
  for (let rest = (8 - filled) % 8; rest > 0; rest -= 1) put(1);
  return Buffer.from(bytes);
}

function segment(marker: number, data: Buffer | readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), Buffer.from(data)]);
}
