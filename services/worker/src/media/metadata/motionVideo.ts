import { open, type FileHandle } from 'node:fs/promises';
import { walkBoxes, type Span } from '../formats/fileBoxes.ts';
import { findNumber, findText, type MediaTags, toNumber } from '../exiftool/mediaTags.ts';

/**
 * Returns the position of the video in a photo's file, or undefined. Checks for the video's first bytes at the marked position: programs that remove
 * the video often keep the marker.
 */
export async function findMotionVideo(path: string, tags: MediaTags): Promise<Span | undefined> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (tags['QuickTime:MotionPhotoVideo'] !== undefined) return await findMovieBox(file, size);
  for (const length of [readClaimedLength(tags), await readSamsungLength(file, size)]) {
    const begin = length === undefined ? undefined : await findStart(file, size - length, size);
    if (begin !== undefined) return { begin, end: await findEnd(file, begin, size) };
  }
  return undefined;
}

/** Finds the video in a HEIC, where it has its own box (Google's Motion Photo format 1.0, "ISOBMFF image specific behavior"). */
async function findMovieBox(file: FileHandle, size: number): Promise<Span | undefined> {
  for await (const { type, body, end } of walkBoxes(file, { begin: 0, end: size })) {
    if (type === 'mpvd' && end > body) return { begin: body, end };
  }
  return undefined;
}

/** Returns the number of bytes from the start of the video to the end of the file, according to XMP. Newer photos state the length of the video's item. */
function readClaimedLength(tags: MediaTags): number | undefined {
  const bytes = { min: 8, max: Number.MAX_SAFE_INTEGER };
  if (toNumber(tags, 'XMP-GCamera:MicroVideo') === 1) return findNumber(tags, ['XMP-GCamera:MicroVideoOffset'], bytes);
  if (toNumber(tags, 'XMP-GCamera:MotionPhoto') !== 1) return undefined;
  const [kinds, lengths] = ['Semantic', 'Length'].map((name) => toList(tags[`XMP-GContainer:DirectoryItem${name}`]));
  return findNumber({ length: lengths?.[kinds?.indexOf('MotionPhoto') ?? -1] }, ['length'], bytes);
}

/** Maximum distance of the video from its stated position, in bytes: Samsung writes data after the video. */
const searchBytes = 64 * 1024;
const fileHeaderBytes = 16;

/** Returns the start of a video near `at`. An MP4 begins with its length and `ftyp`. */
async function findStart(file: FileHandle, at: number, size: number): Promise<number | undefined> {
  // Skips the `ftyp` at the start of a HEIC.
  const begin = Math.max(fileHeaderBytes, at - searchBytes);
  const end = Math.min(size, at + searchBytes);
  if (end <= begin) return undefined;
  const bytes = Buffer.alloc(end - begin);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
  const found = bytes.subarray(0, bytesRead);
  const isAtStatedPosition = at > begin && found.toString('latin1', at + 4 - begin, at + 8 - begin) === 'ftyp';
  const ftypIndex = isAtStatedPosition ? at + 4 - begin : found.indexOf('ftyp');
  return ftypIndex < 4 ? undefined : begin + ftypIndex - 4;
}

/** Returns the end of the last box of the video. Samsung's data after it is not a box. */
async function findEnd(file: FileHandle, begin: number, size: number): Promise<number> {
  let end = begin;
  for await (const box of walkBoxes(file, { begin, end: size })) {
    if (!movieBoxes.has(box.type)) break;
    end = box.end;
  }
  return end;
}

/** Top-level boxes of a movie (ISO/IEC 14496-12, table 1; `wide` and `udta` of QuickTime). */
const movieBoxes: ReadonlySet<string> = new Set(
  'ftyp styp pdin moov moof mfra mdat free skip wide udta meta uuid sidx'.split(' '),
);

/**
 * Reads the trailer of older Samsung phones, which write no XMP. The trailer ends with a directory of its parts, the directory's length and `SEFT`.
 * Returns the number of bytes from the start of the video to the end of the file.
 */
async function readSamsungLength(file: FileHandle, size: number): Promise<number | undefined> {
  const end = Buffer.alloc(8);
  const { bytesRead } = await file.read(end, 0, 8, Math.max(0, size - 8));
  if (bytesRead < 8 || end.toString('latin1', 4) !== 'SEFT') return undefined;
  const directory = Buffer.alloc(Math.min(end.readUInt32LE(0), maxDirectoryBytes, size - 8));
  const begin = size - 8 - directory.length;
  await file.read(directory, 0, directory.length, begin);
  if (directory.length < 12 || directory.toString('latin1', 0, 4) !== 'SEFH') return undefined;
  for (let at = 12; at + 12 <= directory.length; at += 12) {
    // Entry: two unused bytes, kind, distance of the part from the directory, length.
    if (directory.readUInt16LE(at + 2) === samsungMotionPhoto) return size - begin + directory.readUInt32LE(at + 4);
  }
  return undefined;
}

/** Maximum size of a directory. Directories have a handful of entries, of 12 bytes each. */
const maxDirectoryBytes = 64 * 1024;
const samsungMotionPhoto = 0x0a30;

const toList = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : (findText({ value }, 'value') ?? '').split(',').map((each) => each.trim());
