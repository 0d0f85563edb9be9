import { open, type FileHandle } from 'node:fs/promises';
import { findNumber, findText, type MediaTags } from './mediaTags.ts';

/**
 * Whether a video lies in or behind a photo. Markers alone say nothing: programs that cut the video off leave them, so its first
 * bytes are looked for where they say that it begins.
 */
export async function hasMotionVideo(path: string, tags: MediaTags): Promise<boolean> {
  if (tags['QuickTime:MotionPhotoVideo'] !== undefined) return true;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const lengths = [claimedLength(tags), await samsungLength(file, size)];
    for (const length of lengths) {
      if (length !== undefined && (await beginsVideo(file, size - length, size))) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** Bytes from the beginning of the video to the end of the file, as XMP says; of newer photos, the length of the item of that kind. */
function claimedLength(tags: MediaTags): number | undefined {
  const bytes = { min: 8, max: Number.MAX_SAFE_INTEGER };
  if (Number(tags['XMP-GCamera:MicroVideo']) === 1) return findNumber(tags, ['XMP-GCamera:MicroVideoOffset'], bytes);
  if (Number(tags['XMP-GCamera:MotionPhoto']) !== 1) return undefined;
  const [kinds, lengths] = ['Semantic', 'Length'].map((name) => toList(tags[`XMP-GContainer:DirectoryItem${name}`]));
  return findNumber({ length: lengths?.[kinds?.indexOf('MotionPhoto') ?? -1] }, ['length'], bytes);
}

/** Where the video of `length` bytes should begin, give or take what Samsung writes behind it. */
const searchBytes = 64 * 1024;
const ownHeaderBytes = 16;

/** An MP4 begins with its length and `ftyp`. */
async function beginsVideo(file: FileHandle, at: number, size: number): Promise<boolean> {
  // A HEIC begins with `ftyp` itself.
  const begin = Math.max(ownHeaderBytes, at - searchBytes);
  const end = Math.min(size, at + searchBytes);
  if (end <= begin) return false;
  const bytes = Buffer.alloc(end - begin);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, begin);
  return bytes.subarray(0, bytesRead).includes('ftyp');
}

/** Samsung's older phones write no XMP: a trailer ends with its directory's length and `SEFT`, and names its parts. */
async function samsungLength(file: FileHandle, size: number): Promise<number | undefined> {
  const end = Buffer.alloc(8);
  const { bytesRead } = await file.read(end, 0, 8, Math.max(0, size - 8));
  if (bytesRead < 8 || end.toString('latin1', 4) !== 'SEFT') return undefined;
  const directory = Buffer.alloc(Math.min(end.readUInt32LE(0), maxDirectoryBytes, size - 8));
  const begin = size - 8 - directory.length;
  await file.read(directory, 0, directory.length, begin);
  if (directory.length < 12 || directory.toString('latin1', 0, 4) !== 'SEFH') return undefined;
  for (let at = 12; at + 12 <= directory.length; at += 12) {
    // Two unused bytes, the kind, how far before the directory the part begins, its length.
    if (directory.readUInt16LE(at + 2) === samsungMotionPhoto) return size - begin + directory.readUInt32LE(at + 4);
  }
  return undefined;
}

/** Trailers have a handful of parts, of 12 bytes each. */
const maxDirectoryBytes = 64 * 1024;
const samsungMotionPhoto = 0x0a30;

const toList = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : (findText({ value }, 'value') ?? '').split(/\s*,\s*/);
