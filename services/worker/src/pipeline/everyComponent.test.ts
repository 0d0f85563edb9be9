import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { components } from './components.ts';
import { makeDng } from '@hearth/testkit/media/makeDng.ts';
import { getItemDeps } from '../context/deps.ts';
import { openItemContext } from '../context/itemContext.ts';
import { lacksMedia, mediaFolder } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { makeTruncatedRaf } from '@hearth/testkit/media/makeBombs.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker();
after(async () => worker[Symbol.asyncDispose]());

const listRunStates = async ({ id }: MediaItemRow) =>
  (await listRuns(worker.deps.db, id))
    .map(({ component, state, reason }) => ({ component, state, reason }))
    .filter(({ component }) => component === 'METADATA' || component === 'PREVIEW_THUMBNAIL')
    .toSorted((a, b) => a.component.localeCompare(b.component));

test('makes a photo READY with capture time, size, preview, thumbnail and placeholder', async () => {
  const item = await worker.store(
    await makeTestPhoto({ seed: 1, width: 1600, height: 1200, takenAt: '2022:04:03 12:56:11' }),
  );
  const done = await worker.process(item);
  assert.equal(done.status, 'READY');
  assert.equal(done.local_time, '2022-04-03T12:56:11');
  assert.equal(done.taken_at.toISOString(), '2022-04-03T12:56:11.000Z');
  assert.equal(done.utc_offset_minutes, null);
  assert.deepEqual([done.width_px, done.height_px], [1600, 1200]);
  assert.ok(done.placeholder);
  const sizes = [done.preview_key, done.thumbnail_key].map(async (key) => worker.deps.objects.stat(key ?? ''));
  assert.deepEqual(
    [done.preview_bytes, done.thumbnail_bytes],
    (await Promise.all(sizes)).map(({ sizeBytes }) => sizeBytes),
  );
});

test('keeps the upload time of a photo without a capture time', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 2 }), {
    filename: 'holiday.jpg',
    taken_at: new Date('2024-05-06T07:08:09Z'),
    local_time: '2024-05-06T09:08:09',
  });
  const done = await worker.process(item);
  assert.equal(done.local_time, '2024-05-06T09:08:09');
  assert.equal(done.taken_at.toISOString(), '2024-05-06T07:08:09.000Z');
});

test('records upright size, duration, frame rate and category of a video', { skip: lacksMedia }, async () => {
  const upload = { mime_type: 'video/mp4', type: 'VIDEO', filename: 'clip.mp4' } as const;
  const tall = await worker.process(await worker.store(await readMedia('video/portrait_4k60.mp4'), upload));
  assert.deepEqual([tall.width_px, tall.height_px, tall.category], [2160, 3840, 'DEFAULT']);
  assert.equal(tall.taken_at.toISOString(), '2023-03-16T15:26:24.000Z');
  assert.deepEqual(
    [tall.duration_s, tall.fps].map((value) => value?.toFixed(2)),
    ['0.31', '60.06'],
  );
  const slow = await worker.process(
    await worker.store(await readMedia('slow-motion/sample_android_slow_motion.mp4'), upload),
  );
  assert.equal(slow.category, 'SLOW');
});

test('leaves the same row and objects when a component runs again', async () => {
  const item = await worker.store(await makeTestPhoto({ seed: 3, takenAt: '2020:01:02 03:04:05' }));
  const first = await worker.process(item);
  const preview = await readAll(first.preview_key);
  for (const component of [components.METADATA, components.PREVIEW_THUMBNAIL]) {
    await using context = openItemContext(worker.deps, first, []);
    const outcome = await component.run(getItemDeps(worker.deps, first.user_id), context, {
      signal: worker.deps.stopping,
      report: () => undefined,
    });
    assert.equal(outcome.state, 'DONE');
    const changes = 'changes' in outcome ? Object.entries(outcome.changes ?? {}) : [];
    assert.ok(changes.length > 0);
    for (const [column, value] of changes) assert.deepEqual(value, first[column as keyof MediaItemRow], column);
  }
  assert.equal(await readAll(first.preview_key), preview);
});

test('keeps the upload time of a file with unreadable metadata, with a warning', async () => {
  const taken = { taken_at: new Date('2024-05-06T07:08:09Z'), local_time: '2024-05-06T07:08:09', filename: 'x.raf' };
  const item = await worker.store(makeTruncatedRaf(), { mime_type: 'image/x-fujifilm-raf', ...taken });
  const done = await worker.process(item);
  const run = (await listRuns(worker.deps.db, item.id)).find(({ component }) => component === 'METADATA');
  assert.deepEqual([run?.state, run?.warnings], ['DONE', ['METADATA_UNREADABLE']]);
  assert.equal(done.local_time, '2024-05-06T07:08:09');
});

test('fails a damaged file with a reason, and keeps its original', async () => {
  const photo = await makeTestPhoto({ seed: 4 });
  const item = await worker.store(photo.subarray(0, 150));
  const done = await worker.process(item);
  assert.equal(done.status, 'FAILED');
  assert.deepEqual((await listRunStates(item)).at(1), {
    component: 'PREVIEW_THUMBNAIL',
    state: 'FAILED',
    reason: 'CORRUPT',
  });
  const original = await readFile((await worker.deps.objects.file(`${worker.user.id}/${item.id}/original`, '/')).path);
  assert.equal(original.length, 150);
});

test('fails a picture above the pixel limit as TOO_LARGE', async () => {
  await using small = await openTestWorker({ HEARTH_MAX_PIXELS: '1000' });
  const done = await small.process(await small.store(await makeTestPhoto({ seed: 5 })));
  assert.equal(done.status, 'FAILED');
  assert.equal((await listRuns(small.deps.db, done.id)).find(({ state }) => state === 'FAILED')?.reason, 'TOO_LARGE');
});

test('corrects the type of a RAW file uploaded as TIFF, and records the size of the RAW picture', async () => {
  const preview = { bytes: await makeTestPhoto({ seed: 6, width: 600, height: 400 }), width: 600, height: 400 };
  const raw = makeDng({ width: 3000, height: 2000, orientation: 8, previews: [preview] });
  const done = await worker.process(await worker.store(raw, { mime_type: 'image/tiff' }));
  assert.deepEqual([done.status, done.mime_type], ['READY', 'image/x-adobe-dng']);
  assert.deepEqual([done.width_px, done.height_px], [2000, 3000]);
});

test('blocks a format without a decoder instead of failing it, and reads its metadata', async () => {
  const jpegXr = Buffer.from('4949bc0108000000', 'hex');
  const item = await worker.store(Buffer.concat([jpegXr, Buffer.alloc(500)]), { mime_type: 'image/vnd.ms-photo' });
  const done = await worker.process(item);
  assert.equal(done.status, 'PROCESSING');
  assert.deepEqual(await listRunStates(item), [
    { component: 'METADATA', state: 'DONE', reason: null },
    { component: 'PREVIEW_THUMBNAIL', state: 'BLOCKED', reason: 'NO_DECODER' },
  ]);
});

const readAll = async (key: string | null): Promise<string> => text(await worker.deps.objects.open(key ?? ''));
const readMedia = async (name: string): Promise<Buffer> => readFile(join(mediaFolder ?? '', name));
