import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { acquireLease, LeaseLostError, releaseLease } from '../leases/leases.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { sweep } from './sweep.ts';

const api = await startTestApi();
const { deps } = api;
const { db, queues } = deps;
const user = await buildUser(db);
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
after(() => api.stop());

afterEach(async () => {
  await db.deleteFrom('media_items').execute();
  await takeQueued();
});

/** Returns the ids of enqueued items by taking all jobs from the queue. */
const takeQueued = async (): Promise<string[]> => {
  const ids: string[] = [];
  const expected = await queues.depth('media');
  const all = Promise.withResolvers<void>();
  if (expected === 0) return ids;
  const consumer = queues.consume({
    pool: 'media',
    concurrency: 50,
    name: 'test',
    handle: async ({ mediaItemId }) => {
      if (ids.push(mediaItemId) === expected) all.resolve();
    },
  });
  await all.promise;
  await consumer.close(10_000);
  return ids;
};

test('enqueues each due item only once while it is queued', async () => {
  const items = await Promise.all([1, 2, 3].map(() => buildMediaItem(db, user.id)));
  for (let times = 0; times < 3; times++) await sweep(deps, lease);
  assert.deepEqual((await takeQueued()).toSorted(), items.map(({ id }) => id).toSorted());
});

test('enqueues each item once in two concurrent sweeps, as after a change of the lease', async () => {
  const items = await Promise.all(Array.from({ length: 20 }, () => buildMediaItem(db, user.id)));
  await Promise.all([sweep(deps, lease), sweep(deps, lease)]);
  assert.deepEqual((await takeQueued()).toSorted(), items.map(({ id }) => id).toSorted());
});

test('ignores runs that are done, failed, blocked, running or not due yet', async () => {
  const soon = new Date(Date.now() + 60_000);
  for (const run of [
    { state: 'DONE' },
    { state: 'FAILED' },
    { state: 'SKIPPED' },
    { state: 'BLOCKED' },
    { state: 'PENDING', next_attempt_at: soon },
    { state: 'RUNNING', attempts: 1, lease_until: soon },
  ] as const) {
    const { id } = await buildMediaItem(db, user.id);
    await db.updateTable('component_runs').set(run).where('media_item_id', '=', id).execute();
  }
  await sweep(deps, lease);
  assert.deepEqual(await takeQueued(), []);
});

test('enqueues a run whose worker vanished, and fails run and item after the fifth time', async () => {
  const past = new Date(Date.now() - 1_000);
  const ids: string[] = [];
  for (const attempts of [4, 5]) {
    const { id } = await buildMediaItem(db, user.id);
    await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
    const vanished = { state: 'RUNNING', attempts, lease_until: past } as const;
    const run = db.updateTable('component_runs').set(vanished).where('media_item_id', '=', id);
    await run.where('component', '=', 'METADATA').execute();
    ids.push(id);
  }
  await sweep(deps, lease);
  assert.deepEqual(await takeQueued(), ids.slice(0, 1));
  const failed = await db.selectFrom('component_runs').selectAll().where('state', '=', 'FAILED').execute();
  assert.deepEqual(
    failed.map((run) => [run.media_item_id, run.reason]),
    [[ids[1], 'CRASHED']],
  );
  const item = await db.selectFrom('media_items').selectAll().where('id', '=', ids[1]!).executeTakeFirstOrThrow();
  assert.equal(item.status, 'FAILED');
});

test('limits the queue of a pool to 2,000 jobs', async () => {
  const items = Array.from({ length: 2_100 }, () => newMediaItem(user.id));
  await db.insertInto('media_items').values(items).execute();
  await db
    .insertInto('component_runs')
    .values(
      items.map(({ id }) => ({
        media_item_id: id,
        user_id: user.id,
        component: 'METADATA' as const,
        type: 'PHOTO' as const,
        version: 1,
      })),
    )
    .execute();
  for (let times = 0; times < 3; times++) {
    await sweep(deps, lease);
    assert.equal(await queues.depth('media'), 2_000);
  }
});

test('writes nothing after losing the lease', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const vanished = { state: 'RUNNING', attempts: 5, lease_until: new Date(Date.now() - 1_000) } as const;
  await db.updateTable('component_runs').set(vanished).where('media_item_id', '=', id).execute();
  const frozen = (await acquireLease(db, 'frozen', randomUUID(), 600_000))!;
  await releaseLease(db, frozen);
  assert.ok(await acquireLease(db, 'frozen', randomUUID(), 600_000));
  await assert.rejects(sweep(deps, frozen), LeaseLostError);
  const runs = await db.selectFrom('component_runs').select('state').where('media_item_id', '=', id).execute();
  assert.deepEqual(new Set(runs.map(({ state }) => state)), new Set(['RUNNING']));
});
