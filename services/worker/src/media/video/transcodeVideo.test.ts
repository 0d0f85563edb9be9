import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lacksMedia, mediaFolder } from '../testing/mediaSet.ts';
import { transcodeVideo } from './transcodeVideo.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-transcode-'));
after(() => rm(folder, { recursive: true }));
const target = join(folder, 'film.mp4');
const onProgress = (): void => {};
const file = (name: string): string => join(mediaFolder ?? '', name);

test('a video that is cancelled ends at once and leaves nothing behind', { skip: lacksMedia }, async () => {
  const cancelling = new AbortController();
  const work = transcodeVideo(file('video/earth.mov'), target, {
    maxPixels: 150e6,
    onProgress: () => cancelling.abort(new Error('enough')),
    signal: cancelling.signal,
  });
  await assert.rejects(work, { message: 'enough' });
  assert.deepEqual(await readdir(folder), []);
});

test('a video that no decoder understands is refused, and leaves nothing behind', { skip: lacksMedia }, async () => {
  const work = transcodeVideo(file('corrupt/half.mov'), target, {
    maxPixels: 150e6,
    onProgress,
    signal: new AbortController().signal,
  });
  await assert.rejects(work, { name: 'DecodeError', code: 'CORRUPT' });
  assert.deepEqual(await readdir(folder), []);
});

test('a target that cannot be written is no fault of the video', { skip: lacksMedia }, async () => {
  const work = transcodeVideo(file('video/sample.3gp'), join(folder, 'not/here.mp4'), {
    maxPixels: 150e6,
    onProgress,
    signal: new AbortController().signal,
  });
  await assert.rejects(work, { name: 'Error', message: /could not be written/ });
});
