/** Reads bytes of a file; fewer at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/**
 * True if a TIFF-like file holds a camera's raw data, such as a DNG, NEF or ARW. A TIFF decoder would show a thumbnail, noise or nothing. Checks the
 * tags of the directories (TIFF 6.0, section 2; DNG 1.7, "Additional Tags").
 */
export async function isRawTiff(read: ReadAt): Promise<boolean> {
  const head = await read(0, 8);
  if (head.length < 8) return false;
  const isLittle = head[0] === 0x49;
  // BigTIFF has 64-bit offsets; no camera writes it.
  if (readU16(head, 2, isLittle) === bigTiffVersion) return false;
  const pending = [readU32(head, 4, isLittle)];
  for (let seen = 0; seen < maxDirectories && pending.length > 0; seen += 1) {
    const directory = await readDirectory(read, pending.shift()!, isLittle);
    const photometric = directory.get(tags.photometric)?.value;
    const compression = directory.get(tags.compression)?.value ?? 1;
    if (directory.has(tags.dngVersion)) return true;
    if (photometric !== undefined && rawPhotometrics.has(photometric)) return true;
    if (rawCompressions.has(compression)) return true;
    const sub = directory.get(tags.subDirectories);
    // Only cameras write a reduced picture in the first directory and the full one in a subdirectory.
    if (seen === 0 && sub !== undefined && ((directory.get(tags.subfileType)?.value ?? 0) & 1) === 1) return true;
    if (sub !== undefined) pending.push(...(await readOffsets(read, sub, isLittle)));
  }
  return false;
}

const bigTiffVersion = 43;

const tags = {
  subfileType: 0x00fe,
  compression: 0x0103,
  photometric: 0x0106,
  subDirectories: 0x014a,
  dngVersion: 0xc612,
} as const;

/** Colour filter array, and linear raw data. */
const rawPhotometrics: ReadonlySet<number> = new Set([32_803, 34_892]);

/** Sony, Samsung, Panasonic, Nikon, Kodak, Pentax (exiftool.org/TagNames/EXIF.html#Compression). */
const rawCompressions: ReadonlySet<number> = new Set([32_767, 32_770, 34_316, 34_713, 65_000, 65_535]);

/** Maximum numbers of directories and of entries per directory, which limit the cost of a malicious file. Cameras write fewer. */
const maxDirectories = 8;
const maxEntries = 256;

interface Entry {
  readonly count: number;
  /** First value, or the offset of the values. */
  readonly value: number;
}

async function readDirectory(read: ReadAt, position: number, isLittle: boolean): Promise<ReadonlyMap<number, Entry>> {
  const countBytes = await read(position, 2);
  if (countBytes.length < 2) return new Map();
  const count = Math.min(readU16(countBytes, 0, isLittle), maxEntries);
  const bytes = await read(position + 2, 12 * count);
  return new Map(
    Array.from({ length: Math.floor(bytes.length / 12) }, (_, i) => {
      const at = 12 * i;
      // Type 3 is a 16-bit number in the first two of the four bytes.
      const isShort = readU16(bytes, at + 2, isLittle) === 3;
      const value = isShort ? readU16(bytes, at + 8, isLittle) : readU32(bytes, at + 8, isLittle);
      return [readU16(bytes, at, isLittle), { count: readU32(bytes, at + 4, isLittle), value }];
    }),
  );
}

async function readOffsets(read: ReadAt, { count, value }: Entry, isLittle: boolean): Promise<number[]> {
  if (count === 1) return [value];
  const bytes = await read(value, 4 * Math.min(count, maxDirectories));
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => readU32(bytes, 4 * i, isLittle));
}

const readU16 = (bytes: Buffer, at: number, isLittle: boolean): number =>
  isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);

const readU32 = (bytes: Buffer, at: number, isLittle: boolean): number =>
  isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
