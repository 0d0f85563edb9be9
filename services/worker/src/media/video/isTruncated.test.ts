import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import sharp from 'sharp';
import { makeVideo, type TestVideo } from '@hearth/testkit/media/makeVideo.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { isTruncated } from './isTruncated.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-cut-off-'));
after(() => rm(folder, { recursive: true }));
const drawing = await sharp(await drawPhoto(160, 120))
  .png()
  .toBuffer();
const pictures = Array.from({ length: 20 }, () => drawing);
const file = join(folder, 'video');

const make = async (name: string, video: Omit<TestVideo, 'pictures'>): Promise<Buffer> => {
  await makeVideo(join(folder, name), { pictures, ...video });
  return readFile(join(folder, name));
};
const isTruncatedVideo = async (...parts: readonly Uint8Array[]): Promise<boolean> => {
  await writeFile(file, Buffer.concat(parts));
  return isTruncated(file);
};

const x264 = { encoder: 'libx264', options: { g: 5 } } as const;
const movies: Readonly<Record<string, Buffer>> = {
  'an MP4 with its index first': await make('first.mp4', { ...x264, muxer: { movflags: '+faststart' } }),
  'an MP4 with its index last': await make('last.mp4', x264),
  'an MP4 in fragments': await make('parts.mp4', { ...x264, muxer: { movflags: 'frag_keyframe+empty_moov' } }),
};

for (const [what, bytes] of Object.entries(movies)) {
  test(`reports ${what} as complete, regardless of data after its end`, async () => {
    assert.equal(await isTruncatedVideo(bytes), false);
    for (const value of [0, 0xff])
      assert.equal(await isTruncatedVideo(bytes, Buffer.alloc(12, value)), false, `${value}`);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), async (tail) => {
        assert.equal(await isTruncatedVideo(bytes, tail), false);
      }),
      { numRuns: 50 },
    );
  });

  test(`reports ${what} without its last frames as truncated`, async () => {
    const end = Math.max(bytes.lastIndexOf('mdat') + 8, bytes.lastIndexOf('moov') + 8);
    for (const length of [end, Math.floor((end + bytes.lastIndexOf('mdat')) / 2)])
      assert.equal(await isTruncatedVideo(bytes.subarray(0, length)), true, `${length} of ${bytes.length} bytes`);
  });
}

test('does not report unknown data as truncated', async () => {
  assert.equal(await isTruncatedVideo(Buffer.alloc(10_000, 'no video')), false);
});

const whole: Readonly<Record<string, Buffer>> = {
  'an AVI': await make('film.avi', { encoder: 'mjpeg', pixels: 'yuvj420p' }),
  'a Matroska': await make('film.mkv', { encoder: 'mpeg4' }),
  'a WebM': await make('film.webm', { encoder: 'libvpx', options: { deadline: 'realtime', 'cpu-used': 8 } }),
  'a WMV': await make('film.wmv', { encoder: 'wmv2' }),
  'an MPEG-TS': await make('film.ts', { encoder: 'mpeg2video', format: 'mpegts' }),
  'an MTS': await make('film.mts', {
    encoder: 'mpeg2video',
    format: 'mpegts',
    muxer: { mpegts_m2ts_mode: '1' },
  }),
};

for (const [what, bytes] of Object.entries(whole)) {
  test(`reports ${what} as truncated only if it is shorter than it states`, async () => {
    assert.equal(await isTruncatedVideo(bytes), false);
    assert.equal(await isTruncatedVideo(bytes, Buffer.alloc(1_000, 'tail')), false);
    for (const part of [1 / 3, 0.9]) {
      let length = Math.floor(bytes.length * part);
      // A cut between two MPEG-TS packets cannot be detected.
      while ([188, 192].some((packetBytes) => length % packetBytes < 5)) length -= 5;
      assert.equal(await isTruncatedVideo(bytes.subarray(0, length)), true, `${length} of ${bytes.length} bytes`);
    }
  });
}

test('does not report an unfinished recording, which states no length, as truncated', async () => {
  const unfinished = Buffer.from(whole['a Matroska']!);
  const segment = unfinished.indexOf('18538067', 'hex') + 4;
  unfinished.fill(0xff, segment + 1, segment + 8);
  assert.equal(await isTruncatedVideo(unfinished.subarray(0, -1_000)), false);
  const avi = Buffer.from(whole['an AVI']!);
  avi.writeUInt32LE(0, 4);
  assert.equal(await isTruncatedVideo(avi.subarray(0, -1_000)), false);
});

test('returns a result for any header', async () => {
  const heads = ['52494646', '1a45dfa3', '3026b2758e66cf11a6d900aa0062ce6c', '00000018667479706d703432', '47'];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), async (head, rest) => {
      assert.equal(typeof (await isTruncatedVideo(Buffer.from(head, 'hex'), rest)), 'boolean');
    }),
    { numRuns: 500 },
  );
  for (const head of ['52494646', '1a45dfa3'])
    assert.equal(await isTruncatedVideo(Buffer.from(`${head}01fffffffffffffe`, 'hex')), false);
});
