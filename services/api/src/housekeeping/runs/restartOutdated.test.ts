import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { acquireLease } from '../leases/leases.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { restartOutdated } from './restartOutdated.ts';
import { sweep } from './sweep.ts';

const api = await startTestApi();
const { deps } = api;
const { db, queues } = deps;
after(() => api.stop());

test('reprocesses outdated results after uploads, even if the queue was emptied', async () => {
  const user = await buildUser(db);
  const old = await Promise.all(Array.from({ length: 3 }, () => buildMediaItem(db, user.id)));
  await db.updateTable('component_runs').set({ state: 'DONE', version: 0 }).execute();
  await db.updateTable('media_items').set({ status: 'READY' }).execute();
  const uploaded = await buildMediaItem(db, user.id);
  const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
  const ids = old.map(({ id }) => id).toSorted();

  await restartOutdated(deps, lease);
  await queues.enqueue('media', [{ mediaItemId: uploaded.id }], 'upload');
  const first = await take(4);
  assert.deepEqual([first[0], first.slice(1).toSorted()], [uploaded.id, ids]);

  // Due runs are in the database, where the sweep finds them with their low priority.
  await sweep(deps, lease);
  const later = await buildMediaItem(db, user.id);
  await queues.enqueue('media', [{ mediaItemId: later.id }], 'upload');
  const second = await take(5);
  assert.deepEqual([second.slice(0, 2), second.slice(2).toSorted()], [[uploaded.id, later.id], ids]);
});

/** Takes the next jobs one after another. */
const take = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  const all = Promise.withResolvers<void>();
  const handle = async ({ mediaItemId }: { mediaItemId: string }): Promise<void> => {
    if (ids.push(mediaItemId) === count) all.resolve();
  };
  const consumer = queues.consume({ pool: 'media', concurrency: 1, name: 'test', handle });
  await all.promise;
  await consumer.close(10_000);
  return ids;
};
