import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import type { ComponentRunRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { startReplica } from '@hearth/testkit/servers/replica.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { components } from './components.ts';
import { runItem, runPool } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

// A short lease, so that a worker soon notices a removed item or a dead worker.
const worker = await openTestWorker({ HEARTH_LEASE_SECONDS: '2' });
const directory = await mkdtemp(join(tmpdir(), 'hearth-video-pool-'));
after(async () => {
  await worker[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});
const { deps, user } = worker;

/** A video that takes far longer to transcode than any test waits. */
const film = await makeTestVideo({ seed: 1, frames: 6_000 });

const storeFilm = (): Promise<MediaItemRow> =>
  // Random bytes at the end make each file unique: a user cannot store duplicates.
  worker.store(Buffer.concat([film, randomBytes(8)]), {
    type: 'VIDEO',
    mime_type: 'video/vnd.avi',
    filename: 'film.avi',
  });
const findRun = async ({ id }: MediaItemRow): Promise<ComponentRunRow | undefined> =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'TRANSCODE');
const isTranscoding = async (item: MediaItemRow): Promise<boolean> => {
  const run = await findRun(item);
  return run?.state === 'RUNNING' && (run.progress ?? 0) > 0;
};
const isReady = async ({ id }: MediaItemRow): Promise<boolean> =>
  (await getMediaItem(deps.db, user.id, id)).status === 'READY';
const listScratch = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('transcode'));
const remove = async ({ id }: MediaItemRow): Promise<void> => {
  await setTrashed(deps.db, user.id, [id], true);
  await markForRemoval(deps.db, user.id, id);
};

test('makes photos READY during a long transcode, and stops the transcode when its video is deleted', async () => {
  const consumers = ['media', 'video', 'transcode'].map((pool) => runPool(deps, pool, components));
  const [long, next] = [await storeFilm(), await storeFilm()];
  await deps.queues.enqueue('video', [{ mediaItemId: long.id }, { mediaItemId: next.id }], 'upload');
  await waitUntil('both films are READY', async () => (await isReady(long)) && (await isReady(next)));
  await waitUntil('a film is being transcoded', async () => (await isTranscoding(long)) || isTranscoding(next));
  const [first, second] = (await isTranscoding(long)) ? [long, next] : [next, long];

  const photos: MediaItemRow[] = [];
  for (let seed = 1; seed <= 8; seed++) photos.push(await worker.store(await makeTestPhoto({ seed })));
  await deps.queues.enqueue(
    'media',
    photos.map(({ id }) => ({ mediaItemId: id })),
    'upload',
  );
  await waitUntil('all photos are READY', async () => (await Promise.all(photos.map(isReady))).every(Boolean));
  assert.equal((await findRun(first))?.state, 'RUNNING', 'the film is still being transcoded');
  assert.equal((await findRun(second))?.state, 'PENDING', 'the next film waits');

  await remove(second);
  await remove(first);
  await waitUntil('no scratch file is left', async () => (await listScratch(deps.scratchDirectory)).length === 0);
  await Promise.all(consumers.map((consumer) => consumer.close(10_000)));
  const keys = await Array.fromAsync(deps.objects.list(`${user.id}/${first.id}/`), ({ key }) => key);
  assert.ok(!keys.some((key) => key.endsWith('.mp4')), 'no video was stored');
});

test('releases an active transcode at once on shutdown', async () => {
  const stopping = new AbortController();
  const item = await storeFilm();
  await runItem(deps, 'video', components, { mediaItemId: item.id });
  const running = runItem({ ...deps, stopping: stopping.signal }, 'transcode', components, { mediaItemId: item.id });
  await waitUntil('the film is under way', () => isTranscoding(item));
  stopping.abort();
  await running;
  const run = await findRun(item);
  assert.deepEqual([run?.state, run?.reason, run?.attempts, run?.progress], ['PENDING', 'INTERRUPTED', 0, null]);
  assert.deepEqual(await listScratch(deps.scratchDirectory), []);
  await remove(item);
});

test('releases its transcode on shutdown, and leaves nothing behind when killed, so another worker can restart it', async () => {
  const item = await storeFilm();
  await runItem(deps, 'video', components, { mediaItemId: item.id });
  const replica = await startReplica({
    name: 'films',
    program: join(import.meta.dirname, '../main.ts'),
    directory,
    env: { ...worker.env, HEARTH_WORKER_NAME: 'films', HEARTH_POOLS: 'transcode' },
  });
  after(() => replica.stop());
  const scratch = join(deps.config.dataDirectory, 'scratch', 'films');
  await deps.queues.enqueue('transcode', [{ mediaItemId: item.id }], 'upload');
  await waitUntil('the film is under way', () => isTranscoding(item));
  assert.equal((await listScratch(scratch)).length, 1);
  assert.equal(await replica.end(), '0');
  const run = await findRun(item);
  assert.deepEqual([run?.state, run?.reason, run?.attempts], ['PENDING', 'INTERRUPTED', 0]);
  assert.equal(existsSync(scratch), false);

  await replica.restart();
  await waitUntil('the film is being transcoded again', async () => {
    await deps.queues.enqueue('transcode', [{ mediaItemId: item.id }], 'upload');
    return isTranscoding(item);
  });
  await replica.kill();
  await replica.restart();
  assert.deepEqual(await listScratch(scratch), []);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  await waitUntil('the lease of the killed worker has expired', async () => {
    let isOver = false;
    running = runItem({ ...deps, stopping: stopping.signal }, 'transcode', components, {
      mediaItemId: item.id,
    }).finally(() => (isOver = true));
    await waitUntil('the run has started, or none is due', async () => isOver || (await findRun(item))?.attempts === 2);
    return !isOver;
  });
  stopping.abort();
  await running;
  await remove(item);
});
