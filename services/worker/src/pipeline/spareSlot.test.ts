import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test, type TestContext } from 'node:test';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { findDueItemOfOthers } from '@hearth/core/runs/dueRuns.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { sendSignal } from '@hearth/testkit/servers/childProcesses.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { components } from './components.ts';
import { runPool } from './runPool.ts';
import { openTestWorker } from '@hearth/testkit/worker/testWorker.ts';

const worker = await openTestWorker({ HEARTH_WORKER_CONCURRENCY: '2' });
after(() => worker[Symbol.asyncDispose]());
const { deps, user: busyUser } = worker;
const otherUser = await buildUser(deps.db);

const isReady = async ({ user_id, id }: MediaItemRow): Promise<boolean> =>
  (await getMediaItem(deps.db, user_id, id)).status === 'READY';
const enqueue = (items: readonly MediaItemRow[]) =>
  deps.queues.enqueue(
    'media',
    items.map(({ id, user_id }) => ({ mediaItemId: id, ownerId: user_id })),
    'upload',
  );

/** Takes about two seconds to decode. */
const slow = makeScannedJpeg({ width: 10_000, height: 10_000, scans: 100 });
const storeSlow = (): Promise<MediaItemRow> => worker.store(Buffer.concat([slow, randomBytes(8)]));
const photo = await makeTestPhoto({ seed: 3 });
const storeOtherUsersPhoto = (): Promise<MediaItemRow> =>
  worker.store(Buffer.concat([photo, randomBytes(8)]), { user_id: otherUser.id });

/** Resumes a frozen process. On a slow machine the worker may have killed it before. */
const thaw = (pid: number): boolean => sendSignal(pid, 'SIGCONT');

/** Consumes until the test ends. Then resumes frozen processes and waits until all photos are done. */
const consume = (t: TestContext, items: readonly MediaItemRow[]): { freeze: (pids: readonly number[]) => void } => {
  const consumer = runPool(deps, 'media', components);
  const frozen: number[] = [];
  t.after(async () => {
    try {
      for (const pid of frozen) thaw(pid);
      await waitUntil('all photos are READY', async () => (await Promise.all(items.map(isReady))).every(Boolean));
    } finally {
      await consumer.close(10_000);
    }
  });
  return {
    freeze: (pids) => {
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      frozen.push(...pids);
    },
  };
};

test("lets a photo overtake while another owner's photos take every slot and the queue", async (t) => {
  const slowItems: MediaItemRow[] = [];
  for (let n = 0; n < 6; n += 1) slowItems.push(await storeSlow());
  const { freeze } = consume(t, slowItems);
  await enqueue(slowItems);
  await waitUntil('both decoders run', () => deps.decoders.childPids().length === 2);
  freeze(deps.decoders.childPids());
  const [first, second] = [await storeOtherUsersPhoto(), await storeOtherUsersPhoto()];
  await enqueue([first]);
  await waitUntil('the photo is READY', () => isReady(first));
  // A photo that is in no queue overtakes, too.
  await waitUntil('the second photo is READY', () => isReady(second));
  assert.equal((await Promise.all(slowItems.map(isReady))).filter(Boolean).length < 6, true);
});

test("processes a photo with separate tools while another owner's photos hang", async (t) => {
  const hanging = [await storeSlow(), await storeSlow()];
  const { freeze } = consume(t, hanging);
  await deps
    .exiftool!.forOwner(busyUser.id)
    .read('/dev/null', 'image/jpeg')
    .catch(() => undefined);
  freeze(deps.exiftool!.childPids());
  await enqueue(hanging);
  await waitUntil('both jobs are in the queue', async () => (await deps.queues.depth('media')) === 2);
  const otherPhoto = await storeOtherUsersPhoto();
  await enqueue([otherPhoto]);
  await waitUntil('the photo is READY', () => isReady(otherPhoto));
  assert.deepEqual(await Promise.all(hanging.map(isReady)), [false, false]);
});

test('lets only due photos of other owners overtake', async () => {
  const [own, others] = [await storeSlow(), await storeOtherUsersPhoto()];
  assert.equal(await findDueItemOfOthers(deps.db, 'media', [busyUser.id]), others.id);
  assert.equal(await findDueItemOfOthers(deps.db, 'media', [otherUser.id]), own.id);
  assert.equal(await findDueItemOfOthers(deps.db, 'media', [otherUser.id, busyUser.id]), undefined);
  await deps.db
    .updateTable('component_runs')
    .set({ next_attempt_at: new Date(Date.now() + 3_600_000) })
    .where('media_item_id', '=', others.id)
    .execute();
  assert.equal(await findDueItemOfOthers(deps.db, 'media', [busyUser.id]), undefined);
});
