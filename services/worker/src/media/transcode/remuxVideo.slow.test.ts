import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { Decoder, Demuxer } from 'node-av/api';
import sharp from 'sharp';
import { lacksMedia, listTestVideos } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { makeVideo } from '@hearth/testkit/media/makeVideo.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { playInBrowser } from '@hearth/testkit/mediaSet/playInBrowser.ts';
import { transcodeVideo } from './transcodeVideo.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-copied-'));
const decoders = openTestDecoders({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
after(async () => {
  await decoders.close();
  await rm(folder, { recursive: true });
});

const copy = async (path: string, target: string) =>
  transcodeVideo(path, target, {
    method: 'remux',
    maxPixels: 150e6,
    onProgress: () => {},
    signal: new AbortController().signal,
  });

const countMarkers = async (path: string): Promise<number> =>
  (await readFile(path)).toString('latin1').split('marker of kind').length - 1;

/** Decodes a whole video and counts its frames. @throws the first error of FFmpeg */
const countFrames = async (path: string): Promise<number> => {
  await using input = await Demuxer.open(path);
  const stream = input.video()!;
  using decoder = await Decoder.create(stream, { exitOnError: true });
  let frames = 0;
  for await (const frame of decoder.frames(input.packets(stream.index))) {
    if (frame === null) continue;
    using _ = frame;
    frames += 1;
  }
  return frames;
};

const drawing = await sharp(await drawPhoto(160, 120))
  .png()
  .toBuffer();
const pictures = Array.from({ length: 25 }, () => drawing);

test('copies pictures and sound of a video, but no metadata', async () => {
  const [path, target] = [join(folder, 'metadata.mp4'), join(folder, 'no-metadata.mp4')];
  await makeVideo(path, { pictures, encoder: 'libx264', sounds: [{ encoder: 'aac' }] });
  // The encoder stores its settings between the pictures, where camcorders store the position.
  assert.ok((await readFile(path)).includes('x264 - core'));
  assert.deepEqual(await copy(path, target), { warnings: [] });
  const bytes = await readFile(target);
  assert.equal(bytes.includes('x264 - core'), false);
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index comes first');
  const [before, now] = [await decoders.renderVideo(path), await decoders.renderVideo(target)];
  assert.deepEqual([now.isPlayable, now.width, now.height], [true, before.width, before.height]);
  assert.deepEqual(now.preview.bytes, before.preview.bytes, 'same preview');
});

test('removes all NAL units that may hold arbitrary data', async () => {
  const [path, target] = [join(folder, 'marked.mp4'), join(folder, 'unmarked.mp4')];
  // All kinds except slices (1–5) and parameters (7, 8). Kind 6 holds user data: type, length and UUID, then the text.
  const kinds = Array.from({ length: 32 }, (_, kind) => kind).filter((kind) => kind === 6 || kind > 8 || kind === 0);
  const units = kinds.map((kind) => {
    const text = Buffer.from(`marker of kind ${kind};`);
    const payload = kind === 6 ? [5, 16 + text.length, ...Buffer.alloc(16, 0xab)] : [0xff];
    return Buffer.concat([Buffer.from([0, 0, 0, 1, kind, ...payload]), text, Buffer.from([0x80])]);
  });
  await makeVideo(path, { pictures, encoder: 'libx264', beforePictures: Buffer.concat(units) });
  assert.equal(await countMarkers(path), 25 * kinds.length);
  const before = await decoders.renderVideo(path);
  assert.equal(before.isPlayable, true);
  assert.deepEqual(await copy(path, target), { warnings: [] });
  assert.equal(await countMarkers(target), 0);
  assert.deepEqual((await decoders.renderVideo(target)).preview.bytes, before.preview.bytes);
  assert.equal(await countFrames(target), 25);
});

test('rejects a file that is not a video, and leaves nothing behind', async () => {
  const [path, target] = [join(folder, 'noise.mp4'), join(folder, 'none.mp4')];
  await writeFile(path, Buffer.alloc(10_000, 'no video'));
  await assert.rejects(copy(path, target), { code: 'CORRUPT' });
  await assert.rejects(readFile(target), { code: 'ENOENT' });
});

test(
  'makes copies that browsers can play, for all playable videos of the test media',
  { skip: lacksMedia || missingTool('chromium') },
  async () => {
    const targets: string[] = [];
    for (const [index, { path, expected }] of listTestVideos().entries()) {
      if (expected.outcome === 'FAILED' || !(await decoders.renderVideo(path)).isPlayable) continue;
      targets.push(join(folder, `${index}.mp4`));
      await copy(path, targets.at(-1)!);
    }
    assert.equal(targets.length, 8);
    for (const [index, { fault, isMoving }] of (await playInBrowser(targets)).entries())
      assert.deepEqual([fault, isMoving], [undefined, true], targets[index]);
  },
);
