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
  'a video behind the photo is found by the length of its item': {
    bytes: Buffer.concat([photo, video]),
    tags: google,
    expected: video,
  },
  'also by a list in one string': {
    bytes: Buffer.concat([photo, video]),
    tags: {
      ...google,
      'XMP-GContainer:DirectoryItemSemantic': 'Primary, MotionPhoto',
      'XMP-GContainer:DirectoryItemLength': `0, ${video.length}`,
    },
    expected: video,
  },
  'also by the older mark': {
    bytes: Buffer.concat([photo, video]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': video.length },
    expected: video,
  },
  'a mark whose video was cut off is none': { bytes: photo, tags: google, expected: undefined },
  'a video without a mark is none': { bytes: Buffer.concat([photo, video]), expected: undefined },
  'an impossible length is none': {
    bytes: Buffer.concat([photo, video]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': 9e15 },
    expected: undefined,
  },
  "Samsung's trailer tells where the video is": {
    bytes: Buffer.concat([photo, samsungTrailer(0x0a30)]),
    expected: video,
  },
  'a trailer of other parts is none': { bytes: Buffer.concat([photo, samsungTrailer(0x0a01)]), expected: undefined },
  'a trailer of nonsense is none': { bytes: Buffer.from('\xff\xff\xff\xffSEFT', 'latin1'), expected: undefined },
  'a video that is cut off ends with the file': {
    bytes: Buffer.concat([photo, video.subarray(0, 3_000)]),
    tags: { 'XMP-GCamera:MicroVideo': 1, 'XMP-GCamera:MicroVideoOffset': 3_000 },
    expected: video.subarray(0, 3_000),
  },
  'a video is found although its place is given not quite rightly': {
    bytes: Buffer.concat([photo, video, Buffer.alloc(300, 0x11)]),
    tags: google,
    expected: video,
  },
  'a box with a video is one': {
    bytes: Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', photo), box('mpvd', video), box('sefd')]),
    tags: { 'QuickTime:MotionPhotoVideo': '(Binary data)' },
    expected: video,
  },
  'a reference to a missing box is ignored': {
    bytes: Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', photo)]),
    tags: { 'QuickTime:MotionPhotoVideo': '(Binary data)' },
    expected: undefined,
  },
  'an empty file has none': { bytes: Buffer.alloc(0), tags: google, expected: undefined },
  'the beginning of a HEIC is not the video': {
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
