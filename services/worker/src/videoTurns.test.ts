import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listRuns } from '@hearth/core/db/runs/componentRuns.ts';
import { getMediaItem } from '@hearth/core/db/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import { createLog } from '@hearth/core/log.ts';
import type { Consumer } from '@hearth/core/queue/queue.ts';
import { makeTestFilm } from '@hearth/core/testing/testFilm.ts';
import { makeTestPhoto } from '@hearth/core/testing/testPhoto.ts';
import { components } from './components.ts';
import { makeHeic } from './media/testing/makeHeic.ts';
import { runPool } from './runPool.ts';
import { openTestWorker } from './testing/testWorker.ts';
import { openVideoTurns } from './videoTurns.ts';

const worker = await openTestWorker({ HEARTH_WORKER_CONCURRENCY: '2' });
after(() => worker[Symbol.asyncDispose]());
const { deps, user } = worker;

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400; tries++) {
    if (await isSo()) return;
    await delay(50);
  }
  throw new Error('it has not come to that in 20 seconds');
};
const isReady = async ({ id }: MediaItemRow): Promise<boolean> =>
  (await getMediaItem(deps.db, user.id, id)).status === 'READY';
const areReady = async (items: readonly MediaItemRow[]): Promise<boolean> =>
  (await Promise.all(items.map(isReady))).every(Boolean);
const posterState = async ({ id }: MediaItemRow): Promise<string> =>
  (await listRuns(deps.db, id)).find(({ component }) => component === 'PREVIEW_THUMBNAIL')?.state ?? 'no run';
const enqueue = (items: readonly MediaItemRow[]) =>
  deps.queues.enqueue(
    'media',
    items.map(({ id }) => ({ mediaItemId: id })),
    'upload',
  );

/** Also where the test has failed: a consumer that goes on and a frozen process would keep this one for ever. */
const thawAndClose = async (decoder: number, consumer: Consumer): Promise<void> => {
  if (deps.decoders.childPids().includes(decoder)) process.kill(decoder, 'SIGCONT');
  await consumer.close(10_000);
};

const film = await makeTestFilm({ seed: 1, frames: 10, width: 320, height: 240 });
const storeFilm = (): Promise<MediaItemRow> =>
  // Bytes of its own behind each: a user has a file once.
  worker.store(Buffer.concat([film, randomBytes(8)]), {
    type: 'VIDEO',
    mime_type: 'video/vnd.avi',
    filename: 'film.avi',
  });
const photo = await makeTestPhoto({ seed: 2 });
const storePhotos = async (): Promise<MediaItemRow[]> => [
  await worker.store(photo),
  await worker.store(await makeHeic({ picture: photo }), { mime_type: 'image/heic', filename: 'photo.heic' }),
];

test('photos become READY while a video hangs and more of them than the worker has places wait behind it; then all do', async (t) => {
  const consumer = runPool(deps, 'media', components);
  const first = await storeFilm();
  await enqueue([first]);
  await until(() => isReady(first));
  const [decoder] = deps.decoders.childPids();
  process.kill(decoder!, 'SIGSTOP');
  t.after(() => thawAndClose(decoder!, consumer));

  const films: MediaItemRow[] = [];
  for (let n = 0; n < 6; n++) films.push(await storeFilm());
  const photos = await storePhotos();
  await enqueue(films);
  await until(async () => (await Promise.all(films.map(posterState))).includes('RUNNING'));
  await enqueue(photos);
  await until(() => areReady(photos));
  assert.deepEqual((await Promise.all(films.map(posterState))).toSorted(), [
    ...Array.from({ length: 5 }, () => 'PENDING'),
    'RUNNING',
  ]);
  // One job stays in the queue as long as there are videos; those of the photos leave it after the photos are READY.
  await until(async () => (await deps.queues.depth('media')) === 1);

  process.kill(decoder!, 'SIGCONT');
  await until(() => areReady(films));
});

test('a worker that is asked to end finishes the video in hand and leaves those that wait undone', async (t) => {
  const consumer = runPool(deps, 'media', components);
  const films = [await storeFilm(), await storeFilm(), await storeFilm()];
  const [warm] = films;
  await enqueue([warm!]);
  await until(() => isReady(warm!));
  const decoder = deps.decoders.childPids().at(-1)!;
  process.kill(decoder, 'SIGSTOP');
  t.after(() => thawAndClose(decoder, consumer));
  await enqueue(films.slice(1));
  await until(
    async () =>
      (await Promise.all(films.map(posterState))).includes('RUNNING') && (await deps.queues.depth('media')) === 1,
  );
  const closed = consumer.close(20_000);
  process.kill(decoder, 'SIGCONT');
  await closed;
  assert.deepEqual((await Promise.all(films.map(posterState))).toSorted(), ['DONE', 'DONE', 'PENDING']);
});

test('videos take turns one at a time, uploads before library-wide work, and one that fails stops no other', async () => {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const turns = openVideoTurns(
    async ({ mediaItemId }) => {
      begun.push(mediaItemId);
      await gate.promise;
      if (mediaItemId === 'upload 1') throw new Error('a bug');
    },
    createLog('test', 'silent'),
  );
  const jobs = ['library 1', 'library 2', 'upload 1', 'upload 2', 'library 2'];
  const takes = jobs.map((mediaItemId) =>
    turns.take({ mediaItemId }, { ownerId: 'ada', priority: mediaItemId.startsWith('upload') ? 'upload' : 'library' }),
  );
  await Promise.all(takes.slice(1));
  assert.deepEqual(begun, ['library 1']);
  assert.deepEqual(
    jobs.map((mediaItemId) => turns.isWaiting({ mediaItemId })),
    [false, true, true, true, true],
  );
  gate.resolve();
  await takes[0];
  assert.deepEqual(begun, ['library 1', 'upload 1', 'upload 2', 'library 2']);
  await turns.take({ mediaItemId: 'later' }, { ownerId: 'ada', priority: 'upload' });
  assert.equal(begun.at(-1), 'later');
});

test('owners take turns with their videos, each in its own order', async () => {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const turns = openVideoTurns(
    async ({ mediaItemId }) => {
      begun.push(mediaItemId);
      await gate.promise;
    },
    createLog('test', 'silent'),
  );
  const jobs = ['many 1', 'many 2', 'many 3', 'many 4', 'few 1', 'few 2', 'one 1'];
  const takes = jobs.map((mediaItemId) =>
    turns.take({ mediaItemId }, { ownerId: mediaItemId.split(' ')[0]!, priority: 'upload' }),
  );
  gate.resolve();
  await Promise.all(takes);
  assert.deepEqual(begun, ['many 1', 'many 2', 'few 1', 'one 1', 'many 3', 'few 2', 'many 4']);
});
