import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';

/**
 * Makes the photo of a Live Photo: a JPEG that carries a content identifier where an iPhone writes it, in entry 0x0011 of the maker notes
 * (https://exiftool.org/TagNames/Apple.html).
 */
export const makeLivePhoto = async (seed: number, contentIdentifier: string): Promise<Buffer<ArrayBuffer>> => {
  const photo = await makeTestPhoto({ seed });
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff(makerNotes(contentIdentifier))]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + length.length);
  // Segment APP1, right behind the start of the image.
  return Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, photo.subarray(2)]);
};

/** Bytes of a directory with one entry: their number, the entry, and where the next directory is. */
const directoryBytes = 2 + 12 + 4;

/** EXIF's numbers for what an entry holds. */
const types = { ascii: 2, long: 4, undefined: 7 } as const;

/** A directory with one entry, the highest byte first (TIFF 6.0, section 2). */
const directory = (tag: number, type: number, count: number, value: number): Buffer => {
  const bytes = Buffer.alloc(directoryBytes);
  bytes.writeUInt16BE(1);
  bytes.writeUInt16BE(tag, 2);
  bytes.writeUInt16BE(type, 4);
  bytes.writeUInt32BE(count, 6);
  bytes.writeUInt32BE(value, 10);
  return bytes;
};

/** A TIFF whose first directory leads to EXIF's own, which holds nothing but the maker notes. */
const tiff = (notes: Buffer): Buffer => {
  const header = Buffer.from('4d4d002a00000008', 'hex');
  const exifAt = header.length + directoryBytes;
  return Buffer.concat([
    header,
    directory(0x8769, types.long, 1, exifAt),
    directory(0x927c, types.undefined, notes.length, exifAt + directoryBytes),
    notes,
  ]);
};

/** Places in Apple's maker notes count from their own beginning. */
const makerNotes = (contentIdentifier: string): Buffer => {
  const header = Buffer.from('Apple iOS\0\0\u0001MM', 'latin1');
  const value = Buffer.from(`${contentIdentifier}\0`, 'latin1');
  return Buffer.concat([header, directory(0x11, types.ascii, value.length, header.length + directoryBytes), value]);
};
