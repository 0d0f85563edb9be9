import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { makeVideo, type TestVideo } from '../testing/makeVideo.ts';
import { drawPhoto } from '../testing/testPhotos.ts';
import { isCutOff } from './isCutOff.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-cut-off-'));
after(() => rm(folder, { recursive: true }));
const drawing = await sharp(await drawPhoto(160, 120))
  .png()
  .toBuffer();
const pictures = Array.from({ length: 20 }, () => drawing);
const file = join(folder, 'looked-at');

const make = async (name: string, video: Omit<TestVideo, 'pictures'>): Promise<Buffer> => {
  await makeVideo(join(folder, name), { pictures, ...video });
  return readFile(join(folder, name));
};
const isCut = async (...parts: readonly Uint8Array[]): Promise<boolean> => {
  await writeFile(file, Buffer.concat(parts));
  return isCutOff(file);
};

const x264 = { encoder: 'libx264', options: { g: 5 } } as const;
const movies: Readonly<Record<string, Buffer>> = {
  'an MP4 with its index first': await make('first.mp4', { ...x264, muxer: { movflags: '+faststart' } }),
  'an MP4 with its index last': await make('last.mp4', x264),
  'an MP4 in fragments': await make('parts.mp4', { ...x264, muxer: { movflags: 'frag_keyframe+empty_moov' } }),
};

for (const [what, bytes] of Object.entries(movies)) {
  test(`${what} is whole, whatever stands behind it`, async () => {
    assert.equal(await isCut(bytes), false);
    for (const value of [0, 0xff]) assert.equal(await isCut(bytes, Buffer.alloc(12, value)), false, `${value}`);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), async (tail) => {
        assert.equal(await isCut(bytes, tail), false);
      }),
      { numRuns: 50 },
    );
  });

  test(`${what} is cut off where some of its pictures are missing`, async () => {
    const end = Math.max(bytes.lastIndexOf('mdat') + 8, bytes.lastIndexOf('moov') + 8);
    for (const length of [end, Math.floor((end + bytes.lastIndexOf('mdat')) / 2)])
      assert.equal(await isCut(bytes.subarray(0, length)), true, `${length} of ${bytes.length} bytes`);
  });
}

test('what is no MP4 is not called cut off by boxes that it does not have', async () => {
  assert.equal(await isCut(Buffer.alloc(10_000, 'no video')), false);
});
