import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listRuns } from '@hearth/core/db/runs/componentRuns.ts';
import { getMediaItem } from '@hearth/core/db/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import type { Consumer } from '@hearth/core/queue/queue.ts';
import { newMediaItem } from '@hearth/core/testing/factories.ts';
import { makeTestFilm } from '@hearth/core/testing/testFilm.ts';
import { makeTestPhoto } from '@hearth/core/testing/testPhoto.ts';
import type { Component } from './context/component.ts';
import { components } from './components.ts';
import type { Deps } from './context/deps.ts';
import { makeHeic } from './media/testing/makeHeic.ts';
import { runPool } from './runPool.ts';
import { openTestWorker } from './testing/testWorker.ts';

const worker = await openTestWorker({ HEARTH_WORKER_CONCURRENCY: '2' });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 3_600; tries++) {
    if (await isSo()) return;
    await delay(50);
  }
  throw new Error('it has not come to that in three minutes');
};
const areReady = async (items: readonly MediaItemRow[]): Promise<boolean> =>
  (await Promise.all(items.map(({ id }) => getMediaItem(deps.db, user.id, id)))).every(
    ({ status }) => status === 'READY',
  );
const posterState = async ({ id }: MediaItemRow): Promise<string> =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')?.state ?? 'no run';
const enqueue = (pool: string, items: readonly { readonly id: string }[]) =>
  deps.queues.enqueue(
    pool,
    items.map(({ id }) => ({ mediaItemId: id })),
    'upload',
  );

const film = await makeTestFilm({ seed: 1, frames: 10, width: 320, height: 240 });
const asFilm = { type: 'VIDEO', mime_type: 'video/vnd.avi', filename: 'film.avi' } as const;
// Bytes of its own behind each: a user has a file once.
const storeFilm = (): Promise<MediaItemRow> => worker.store(Buffer.concat([film, randomBytes(8)]), asFilm);

/** Stops the decoder of videos, which then has the next one in hand until it is thawed; also where the test has failed. */
const freezeVideos = async (t: TestContext, consumers: readonly Consumer[]): Promise<() => void> => {
  const first = await storeFilm();
  await enqueue('video', [first]);
  await until(() => areReady([first]));
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

test('photos become READY while a video hangs and more wait behind it in the queue; then all do', async (t) => {
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
  await until(async () => (await Promise.all(films.map(posterState))).includes('RUNNING'));
  await enqueue('media', photos);
  await until(() => areReady(photos));
  assert.equal(await deps.queues.depth('video'), 6, 'one in hand, five that wait');
  thaw();
  await until(() => areReady(films));
});

test('a worker that is asked to end finishes the video in hand and leaves those that wait in the queue', async (t) => {
  const consumer = runPool(deps, 'video', components);
  const thaw = await freezeVideos(t, [consumer]);
  const films = [await storeFilm(), await storeFilm()];
  await enqueue('video', films);
  await until(async () => (await Promise.all(films.map(posterState))).includes('RUNNING'));
  const closed = consumer.close(20_000);
  thaw();
  await closed;
  assert.deepEqual((await Promise.all(films.map(posterState))).toSorted(), ['DONE', 'PENDING']);
  assert.equal(await deps.queues.depth('video'), 1);
  const other = runPool(deps, 'video', components);
  t.after(() => other.close(10_000));
  await until(() => areReady(films));
});

/** Every second run waits for another one that is begun meanwhile, so that two workers do as many runs each. */
const openPairing = () => {
  let partner: PromiseWithResolvers<void> | undefined;
  return async (): Promise<void> => {
    if (partner === undefined) {
      partner = Promise.withResolvers();
      return partner.promise;
    }
    partner.resolve();
    partner = undefined;
  };
};

test('of 1,000 posters one worker has one in hand while 999 wait in the queue, and a second worker takes half of them', async (t) => {
  const items = Array.from({ length: 1_000 }, () => newMediaItem(user.id, { ...asFilm, size_bytes: film.length }));
  await deps.db.insertInto('media_items').values(items).execute();
  const run = { component: 'PREVIEW_THUMBNAIL', type: 'VIDEO', version: 2 } as const;
  const runs = items.map(({ id }) => ({ media_item_id: id, user_id: user.id, ...run }));
  await deps.db.insertInto('component_runs').values(runs).execute();
  await enqueue('video', items);

  const pair = openPairing();
  const gate = Promise.withResolvers<void>();
  const consume = (name: string) => {
    const done: string[] = [];
    const run: Component['run'] = async (_, { item }) => {
      if (done.length === 0) await gate.promise;
      await pair();
      done.push(item.id);
      return { state: 'DONE', warnings: [] };
    };
    const named: Deps = { ...deps, config: { ...deps.config, name } };
    const consumer = runPool(named, 'video', {
      ...components,
      PREVIEW_THUMBNAIL: { ...components.PREVIEW_THUMBNAIL, run },
    });
    t.after(() => consumer.close(10_000));
    return done;
  };
  /** Jobs that wait in the queue, and runs that are being worked on. */
  const counts = async () => {
    const running = await deps.db
      .selectFrom('component_runs')
      .select('media_item_id')
      .where('state', '=', 'RUNNING')
      .execute();
    return { waiting: (await deps.queues.depth('video')) - running.length, running: running.length };
  };

  const first = consume('first');
  await until(async () => (await counts()).running === 1);
  assert.deepEqual(await counts(), { waiting: 999, running: 1 });
  const second = consume('second');
  await until(async () => (await counts()).running === 2);
  assert.deepEqual(await counts(), { waiting: 998, running: 2 });
  gate.resolve();
  await until(async () => (await deps.queues.depth('video')) === 0);
  assert.deepEqual([first.length, second.length], [500, 500]);
  assert.equal(new Set([...first, ...second]).size, 1_000);
});
