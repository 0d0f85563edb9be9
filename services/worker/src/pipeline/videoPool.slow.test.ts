import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test, type TestContext } from 'node:test';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { Consumer } from '@hearth/core/queue/queue.ts';
import { posterKey } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import { newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import type { Component } from '../context/component.ts';
import { components } from './components.ts';
import type { Deps } from '../context/deps.ts';
import { openDecoderPool } from '../media/decoder/decoderPool.ts';
import { makeHeic } from '@hearth/testkit/media/makeHeic.ts';
import { runPool } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker({ HEARTH_WORKER_CONCURRENCY: '2' });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const areReady = async (items: readonly MediaItemRow[]): Promise<boolean> =>
  (await Promise.all(items.map(({ id }) => getMediaItem(deps.db, user.id, id)))).every(
    ({ status }) => status === 'READY',
  );
const findPosterState = async ({ id }: MediaItemRow): Promise<string> =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')?.state ?? 'no run';
const enqueue = (pool: string, items: readonly { readonly id: string }[]) =>
  deps.queues.enqueue(
    pool,
    items.map(({ id }) => ({ mediaItemId: id })),
    'upload',
  );

const film = await makeTestVideo({ seed: 1, frames: 10, width: 320, height: 240 });
const videoFields = { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' } as const;
// Random bytes at the end make each file unique: a user cannot store duplicates.
const storeFilm = (): Promise<MediaItemRow> => worker.store(Buffer.concat([film, randomBytes(8)]), videoFields);

/** Freezes the video decoder, which blocks the next video until the test resumes it or ends. */
const freezeVideos = async (t: TestContext, consumers: readonly Consumer[]): Promise<() => void> => {
  const first = await storeFilm();
  await enqueue('video', [first]);
  await waitUntil('the first poster is made', () => areReady([first]));
  const decoder = deps.decoders.childPids().at(-1)!;
  process.kill(decoder, 'SIGSTOP');
  const thaw = (): void => {
    if (deps.decoders.childPids().includes(decoder)) process.kill(decoder, 'SIGCONT');
  };
  t.after(async () => {
    thaw();
    await Promise.all(consumers.map((consumer) => consumer.close(10_000)));
  });
  return thaw;
};

test('makes photos READY while a video hangs and others are queued, and the videos afterwards', async (t) => {
  const consumers = [runPool(deps, 'media', components), runPool(deps, 'video', components)];
  const thaw = await freezeVideos(t, consumers);
  const films: MediaItemRow[] = [];
  for (let n = 0; n < 6; n++) films.push(await storeFilm());
  const photo = await makeTestPhoto({ seed: 2 });
  const photos = [
    await worker.store(photo),
    await worker.store(await makeHeic({ picture: photo }), { mime_type: 'image/heic', filename: 'photo.heic' }),
  ];
  await enqueue('video', films);
  await waitUntil('a poster is being made', async () =>
    (await Promise.all(films.map(findPosterState))).includes('RUNNING'),
  );
  await enqueue('media', photos);
  await waitUntil('the photos are READY', () => areReady(photos));
  assert.equal(await deps.queues.depth('video'), 6, 'one active, five waiting');
  thaw();
  await waitUntil('the films are READY', () => areReady(films));
});

test('finishes the active video on shutdown and leaves the others in the queue', async (t) => {
  const consumer = runPool(deps, 'video', components);
  const thaw = await freezeVideos(t, [consumer]);
  const films = [await storeFilm(), await storeFilm()];
  await enqueue('video', films);
  await waitUntil('a poster is being made', async () =>
    (await Promise.all(films.map(findPosterState))).includes('RUNNING'),
  );
  const closed = consumer.close(20_000);
  thaw();
  await closed;
  assert.deepEqual((await Promise.all(films.map(findPosterState))).toSorted(), ['DONE', 'PENDING']);
  assert.equal(await deps.queues.depth('video'), 1);
  const other = runPool(deps, 'video', components);
  t.after(() => other.close(10_000));
  await waitUntil('the films are READY', () => areReady(films));
});

/** Opens two workers with separate decoders. */
const startWorkers = (t: TestContext): readonly Deps[] => {
  const { decodeMemoryBytes, decodeTimeoutSeconds, maxPixels } = deps.config;
  const decoders = openDecoderPool({
    size: 1,
    timeoutMs: decodeTimeoutSeconds * 1_000,
    memoryLimitBytes: decodeMemoryBytes,
    maxPixels,
    confinement: deps.confinement,
  });
  t.after(() => decoders.close());
  const named = (name: string) => ({ ...deps, config: { ...deps.config, name } });
  return [named('first'), { ...named('second'), decoders }];
};

/** Consumes videos with `run` for PREVIEW_THUMBNAIL until the test ends. Records the ids of items in `begun` and `done`. */
const consume = (t: TestContext, workerDeps: Deps, run: Component['run']) => {
  const begun: string[] = [];
  const done: string[] = [];
  const { PREVIEW_THUMBNAIL } = components;
  const recorded: Component['run'] = async (itemDeps, context, control) => {
    begun.push(context.item.id);
    const outcome = await run(itemDeps, context, control);
    done.push(context.item.id);
    return outcome;
  };
  const code = { ...components, PREVIEW_THUMBNAIL: { ...PREVIEW_THUMBNAIL, run: recorded } };
  const consumer = runPool(workerDeps, 'video', code);
  t.after(() => consumer.close(10_000));
  return { begun, done, consumer };
};

/** Asserts that no item was done twice, and that each worker did at least a third. Returns the number of items done. */
const assertDistribution = (workers: readonly { readonly done: readonly string[] }[]): number => {
  const done = workers.flatMap((each) => each.done);
  assert.equal(new Set(done).size, done.length);
  const counts = workers.map((each) => each.done.length);
  assert.ok(Math.min(...counts) >= done.length / 3, `counts: ${counts.join(' and ')}`);
  return done.length;
};

test('distributes 40 videos to two workers, at least a third each', async (t) => {
  const films: MediaItemRow[] = [];
  for (let n = 0; n < 40; n++) films.push(await storeFilm());
  const workers = startWorkers(t).map((each) => consume(t, each, components.PREVIEW_THUMBNAIL.run));
  await enqueue('video', films);
  await waitUntil('no job is left', async () => (await deps.queues.depth('video')) === 0, { timeoutMs: 180_000 });
  assert.ok(await areReady(films));
  assert.equal(assertDistribution(workers), 40);
  const keys = await Array.fromAsync(deps.objects.list(`${user.id}/`), ({ key }) => key);
  for (const { id } of films)
    assert.ok(keys.includes(posterKey(user.id, id, getComponentVersion('PREVIEW_THUMBNAIL'))), id);
});

test('keeps 999 of 1,000 videos queued while one is active, and distributes them to two workers', async (t) => {
  const items = Array.from({ length: 1_000 }, () => newMediaItem(user.id, { ...videoFields, size_bytes: film.length }));
  await deps.db.insertInto('media_items').values(items).execute();
  const version = getComponentVersion('PREVIEW_THUMBNAIL');
  const runs = items.map(({ id }) => ({
    media_item_id: id,
    user_id: user.id,
    component: 'PREVIEW_THUMBNAIL' as const,
    type: 'VIDEO' as const,
    version,
  }));
  await deps.db.insertInto('component_runs').values(runs).execute();
  await enqueue('video', items);

  // Blocks the first run of each worker until the queued jobs are counted.
  const counted = Promise.withResolvers<void>();
  const run: Component['run'] = async () => {
    await counted.promise;
    return { state: 'DONE', warnings: [] };
  };
  const countWaiting = async (begun: number): Promise<number> => (await deps.queues.depth('video')) - begun;
  const [firstDeps, secondDeps] = startWorkers(t);
  const first = consume(t, firstDeps!, run);
  await waitUntil('one video is active', () => first.begun.length === 1);
  assert.equal(await countWaiting(1), 999);
  const second = consume(t, secondDeps!, run);
  await waitUntil('two videos are active', () => second.begun.length === 1);
  assert.deepEqual([first.begun.length, await countWaiting(2)], [1, 998]);
  counted.resolve();
  // 300 are enough to measure the distribution; all 1,000 would take minutes.
  await waitUntil('300 videos are done', () => first.done.length + second.done.length >= 300, { timeoutMs: 180_000 });
  await Promise.all([first, second].map(({ consumer }) => consumer.close(60_000)));
  const done = assertDistribution([first, second]);
  assert.equal(await deps.queues.depth('video'), 1_000 - done, 'the others still wait');
});
