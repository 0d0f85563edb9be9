import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';

/**
 * Makes the photo of a Live Photo: a JPEG with a content identifier in entry 0x0011 of Apple's maker notes
 * (https://exiftool.org/TagNames/Apple.html).
 */
export const makeLivePhoto = async (seed: number, contentIdentifier: string): Promise<Buffer<ArrayBuffer>> => {
  const photo = await makeTestPhoto({ seed });
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff(makerNotes(contentIdentifier))]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + length.length);
  // Segment APP1 directly follows the start of the image.
  return Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, photo.subarray(2)]);
};

/** Size in bytes of a directory with one entry: the count, the entry, and the offset of the next directory. */
const directoryBytes = 2 + 12 + 4;

/** EXIF type numbers. */
const types = { ascii: 2, long: 4, undefined: 7 } as const;

/** Writes a big-endian directory with one entry (TIFF 6.0, section 2). */
const directory = (tag: number, type: number, count: number, value: number): Buffer => {
  const bytes = Buffer.alloc(directoryBytes);
  bytes.writeUInt16BE(1);
  bytes.writeUInt16BE(tag, 2);
  bytes.writeUInt16BE(type, 4);
  bytes.writeUInt32BE(count, 6);
  bytes.writeUInt32BE(value, 10);
  return bytes;
};

/** Writes a TIFF whose first directory points to the EXIF directory with only the maker notes. */
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

/** Offsets in Apple's maker notes are relative to their own start. */
const makerNotes = (contentIdentifier: string): Buffer => {
  const header = Buffer.from('Apple iOS\0\0\u0001MM', 'latin1');
  const value = Buffer.from(`${contentIdentifier}\0`, 'latin1');
  return Buffer.concat([header, directory(0x11, types.ascii, value.length, header.length + directoryBytes), value]);
};
