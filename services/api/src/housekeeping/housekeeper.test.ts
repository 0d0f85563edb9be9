import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test, type TestContext } from 'node:test';
import { countMediaItems } from '@hearth/testkit/rows/expectCountsRight.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { acquireLease } from './leases/leases.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { storeUnfinishedUpload } from '@hearth/testkit/api/uploads.ts';
import { leaseNames, getRetryDelayMs, startHousekeeper } from './housekeeper.ts';
import { tasks } from './tasks.ts';

const api = await startTestApi();
const { deps } = api;
const { db } = deps;
after(() => api.stop());

const findLease = async () =>
  db.selectFrom('leases').select(['holder', 'fencing']).where('name', '=', 'housekeeping').executeTakeFirst();

/** Wraps the dependencies to count queries. A process without a lease runs almost only lease queries. */
const countLeaseQueries = () => {
  let queries = 0;
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  });
  return { deps: { ...deps, db: watched }, queries: () => queries };
};

/** Enough for several lease attempts, plus the other queries of the start. */
const enoughQueries = 8;

const areCountsRolledUp = async (): Promise<boolean> =>
  (await db.selectFrom('count_deltas').select('id').execute()).length === 0;

test('only one of two housekeepers works, and the other takes over as soon as it stops', async () => {
  const first = startHousekeeper(deps);
  await waitUntil('the first holds the lease', async () => (await findLease()) !== undefined);
  const held = await findLease();
  const waiting = countLeaseQueries();
  const second = startHousekeeper(waiting.deps);
  await waitUntil('the second has tried to acquire the lease', () => waiting.queries() >= enoughQueries);
  assert.deepEqual(await findLease(), held);
  await first.stop();
  await waitUntil('the second holds the lease', async () => (await findLease())?.holder !== held?.holder);
  assert.equal((await findLease())?.fencing, held!.fencing + 1);
  await second.stop();
});

test('rolls up counts, deletes removed items and enqueues lost jobs', async () => {
  const { call, id: userId, uploadPhoto } = await api.signUp();
  const [kept, gone] = [await uploadPhoto(), await uploadPhoto()];
  await call('deleteMediaItem', { params: { id: gone } });
  await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', gone).execute();
  const housekeeper = startHousekeeper(deps);
  await waitUntil('the removed item is gone', async () => (await api.listKeys()).every((key) => key.includes(kept)));
  await waitUntil('counts are rolled up', areCountsRolledUp);
  await waitUntil('the lost job is enqueued again', async () => (await deps.queues.depth('media')) > 0);
  await housekeeper.stop();
  assert.equal(await countMediaItems(db, userId, { visibility: 'visible' }), 1);
  assert.equal(await countMediaItems(db, userId, { visibility: 'trash' }), 0);
});

const countRuns = (t: TestContext, task: string) =>
  t.mock.method(
    tasks.find(({ name }) => name === task)!,
    'run',
  ).mock;

const listTasks = async () => db.selectFrom('housekeeping_tasks').selectAll().orderBy('name').execute();

test('does not repeat daily tasks after a restart', async (t) => {
  const daily = tasks.filter(({ everyMs }) => everyMs >= 3_600_000);
  const earlier = startHousekeeper(deps);
  await waitUntil('all daily tasks are done', async () => (await listTasks()).length >= daily.length);
  await earlier.stop();
  const before = await listTasks();
  assert.deepEqual(
    before.map(({ name }) => name),
    daily.map(({ name }) => name).toSorted(),
  );
  // A lane starts over only after its last task.
  const first = { short: countRuns(t, 'run jobs'), long: countRuns(t, 'remove') };
  const again = daily.map(({ name }) => countRuns(t, name));
  const housekeeper = startHousekeeper(deps);
  await waitUntil(
    'both lanes have run all their tasks',
    () => first.short.callCount() >= 2 && first.long.callCount() >= 2,
  );
  await housekeeper.stop();
  assert.deepEqual(
    again.map((runs) => runs.callCount()),
    daily.map(() => 0),
  );
  assert.deepEqual(await listTasks(), before);
});

test('slow tasks, such as a removal with an unresponsive store, do not delay urgent ones', async () => {
  const user = await api.signUp();
  const { call, id: userId, uploadPhoto } = user;
  const gone = await uploadPhoto();
  await call('deleteMediaItem', { params: { id: gone } });
  await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', gone).execute();
  const received = await storeUnfinishedUpload(
    api,
    user,
    Buffer.concat([await makeNextPhoto(), Buffer.alloc(9 * 2 ** 20)]),
  );
  const removalStarted = Promise.withResolvers<void>();
  const storeResponse = Promise.withResolvers<void>();
  const objects = {
    ...deps.objects,
    remove: async (keys: readonly string[]) => {
      removalStarted.resolve();
      await storeResponse.promise;
      await deps.objects.remove(keys);
    },
  };
  const housekeeper = startHousekeeper({ ...deps, objects });
  await removalStarted.promise;
  for (let times = 1; times <= 2; times++) {
    await uploadPhoto();
    await waitUntil('counts are rolled up', areCountsRolledUp);
    // `+ 1`: the count includes the upload left over by a crash.
    const isCounted = async () => (await countMediaItems(db, userId, { visibility: 'visible' })) === times + 1;
    await waitUntil('the item is counted', isCounted);
  }
  assert.notEqual((await findUpload(received)).media_item_id, null);
  assert.equal((await db.selectFrom('media_items').select('id').where('id', '=', gone).execute()).length, 1);
  storeResponse.resolve();
  await waitUntil('the item is gone', async () => !(await api.listKeys()).some((key) => key.includes(gone)));
  await housekeeper.stop();
});

const findUpload = async (id: string) =>
  db.selectFrom('uploads').select('media_item_id').where('id', '=', id).executeTakeFirstOrThrow();

/** Delays before the first twelve retries, in seconds. */
const seconds = (everyMs: number): number[] =>
  Array.from({ length: 12 }, (_, times) => getRetryDelayMs(times + 1, everyMs) / 1_000);

test('backs off exponentially, up to a minute for frequent tasks and an hour for daily ones', () => {
  assert.deepEqual(seconds(2_000).slice(0, 5), [10, 20, 40, 60, 60]);
  const daily = seconds(86_400_000);
  assert.deepEqual([daily[0], daily[1], daily[8], daily[11]], [10, 20, 2_560, 3_600]);
});

test('does nothing while another process holds the leases', async () => {
  for (const name of Object.values(leaseNames)) await acquireLease(db, name, randomUUID(), 600_000);
  const { call, uploadPhoto } = await api.signUp();
  const id = await uploadPhoto();
  await call('deleteMediaItem', { params: { id } });
  await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', id).execute();
  const waiting = countLeaseQueries();
  const housekeeper = startHousekeeper(waiting.deps);
  await waitUntil('it has tried to acquire the leases', () => waiting.queries() >= enoughQueries);
  await housekeeper.stop();
  assert.equal((await db.selectFrom('media_items').select('id').where('id', '=', id).execute()).length, 1);
});
