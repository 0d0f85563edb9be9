import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { MediaTags } from '../exiftool/mediaTags.ts';
import { findMotionVideo } from './motionVideo.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-motion-'));
});
after(() => rm(folder, { recursive: true }));

const photo = Buffer.alloc(200_000, 0x5a);
/** Builds a box of the ISO base media file format. */
const box = (type: string, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
};
const video = Buffer.concat([box('ftyp', Buffer.from('mp42')), box('mdat', Buffer.alloc(5_000)), box('moov')]);
const google = {
  'XMP-GCamera:MotionPhoto': 1,
  'XMP-GContainer:DirectoryItemSemantic': ['Primary', 'GainMap', 'MotionPhoto'],
  'XMP-GContainer:DirectoryItemLength': [0, 77, video.length],
};

/** Builds Samsung's trailer after a video. Offsets count backwards from the directory. */
const samsungTrailer = (kind: number): Buffer => {
  const directory = Buffer.alloc(24);
  directory.write('SEFH', 'latin1');
  directory.writeUInt32LE(1, 8);
  directory.writeUInt16LE(kind, 14);
  directory.writeUInt32LE(video.length, 16);
  directory.writeUInt32LE(video.length, 20);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(directory.length, 0);
  end.write('SEFT', 4, 'latin1');
  return Buffer.concat([video, directory, end]);
};

const cases: Record<string, { bytes: Buffer; tags?: MediaTags; expected: Buffer | undefined }> = {
  'finds a video after the photo by the length of its item': {
    bytes: Buffer.concat([photo, video]),
    tags: google,
    expected: video,
  },
  'finds a video by a list of items in one string': {
    bytes: Buffer.concat([photo, video]),
    tags: {
      ...google,
      'XMP-GContainer:DirectoryItemSemantic': 'Primary, MotionPhoto',
      'XMP-GContainer:DirectoryItemLength': `0, ${video.length}`,
    },
    expected: video,
  },
  'finds a video by the older marker': {
    bytes: Buffer.concat([photo, video]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': video.length },
    expected: video,
  },
  'ignores a marker if the video was removed': { bytes: photo, tags: google, expected: undefined },
  'ignores a video without a marker': { bytes: Buffer.concat([photo, video]), expected: undefined },
  'ignores an impossible length': {
    bytes: Buffer.concat([photo, video]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': 9e15 },
    expected: undefined,
  },
  "finds a video by Samsung's trailer": {
    bytes: Buffer.concat([photo, samsungTrailer(0x0a30)]),
    expected: video,
  },
  'ignores a trailer with other parts only': {
    bytes: Buffer.concat([photo, samsungTrailer(0x0a01)]),
    expected: undefined,
  },
  'ignores an invalid trailer': { bytes: Buffer.from('\xff\xff\xff\xffSEFT', 'latin1'), expected: undefined },
  'ends a truncated video at the end of the file': {
    bytes: Buffer.concat([photo, video.subarray(0, 3_000)]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': 3_000 },
    expected: video.subarray(0, 3_000),
  },
  'finds a video a few hundred bytes from the stated position': {
    bytes: Buffer.concat([photo, video, Buffer.alloc(300, 0x11)]),
    tags: google,
    expected: video,
  },
  'finds a video in its own box': {
    bytes: Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', photo), box('mpvd', video), box('sefd')]),
    tags: { 'QuickTime:MotionPhotoVideo': '(Binary data)' },
    expected: video,
  },
  'ignores a reference to a missing box': {
    bytes: Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', photo)]),
    tags: { 'QuickTime:MotionPhotoVideo': '(Binary data)' },
    expected: undefined,
  },
  'finds no video in an empty file': { bytes: Buffer.alloc(0), tags: google, expected: undefined },
  'does not mistake the start of a HEIC for the video': {
    bytes: Buffer.from('\0\0\0\x18ftypheic mif1 heic', 'latin1'),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': 20 },
    expected: undefined,
  },
};

for (const [name, { bytes, tags = {}, expected }] of Object.entries(cases)) {
  test(name, async () => {
    const path = join(folder, 'photo');
    await writeFile(path, bytes);
    const found = await findMotionVideo(path, tags);
    assert.deepEqual(found && bytes.subarray(found.begin, found.end), expected);
  });
}
