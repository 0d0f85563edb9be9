import assert from 'node:assert/strict';
import { updateUser } from '../../accounts/users.ts';
import { randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { changeJobStatus, insertJob } from '../../features/jobs/queries.ts';
import { acquireLease, LeaseLostError } from '../leases/leases.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { buildReadyItems, getJobState, processItem } from '@hearth/testkit/rows/libraryJobs.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { runJobs } from './jobs.ts';
import { sweep } from './sweep.ts';

const api = await startTestApi();
const { deps } = api;
const { db, queues } = deps;
after(() => api.stop());
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
afterEach(async () => {
  await db.deleteFrom('users').execute();
  await take(await queues.depth('media'), undefined, 20);
});

/** Takes jobs from the queue, by default one after another, like a worker with one slot. */
const take = async (
  count: number,
  handle: (id: string, index: number) => Promise<unknown> = async () => undefined,
  concurrency = 1,
): Promise<string[]> => {
  const ids: string[] = [];
  if (count === 0) return ids;
  const all = Promise.withResolvers<void>();
  const consumer = queues.consume({
    pool: 'media',
    concurrency,
    name: 'test',
    handle: async ({ mediaItemId }) => {
      ids.push(mediaItemId);
      await handle(mediaItemId, ids.length);
      if (ids.length === count) all.resolve();
    },
  });
  await all.promise;
  await consumer.close(10_000);
  return ids;
};

/** Creates a user with READY items and a job over them. */
const setUp = async (count: number, ...components: ComponentName[]) => {
  const user = await buildUser(db);
  const ids = await buildReadyItems(db, user.id, count);
  const job = await insertJob(db, user.id, components);
  return { userId: user.id, ids, jobId: job.id };
};

test('processes an upload before the remaining items of a job', async () => {
  const { userId, ids, jobId } = await setUp(12, 'PLACES');
  await runJobs(deps, lease);
  const uploads: string[] = [];
  const upload = async (): Promise<string> => {
    const { id } = await buildMediaItem(db, userId);
    uploads.push(id);
    return id;
  };
  const taken = await take(13, async (id, index) => {
    await processItem(db, id);
    if (index === 5) await queues.enqueue('media', [{ mediaItemId: await upload() }], 'upload');
  });
  assert.deepEqual([taken[5], taken.toSorted()], [uploads[0], [...ids, ...uploads].toSorted()]);
  await runJobs(deps, lease);
  assert.equal((await getJobState(db, jobId)).status, 'COMPLETED');
});

test('the sweep enqueues lost jobs after uploads, including those of failed items', async () => {
  const { userId, ids } = await setUp(6, 'PREVIEW_THUMBNAIL');
  await db.updateTable('media_items').set({ status: 'FAILED' }).where('id', '=', ids[0]!).execute();
  await runJobs(deps, lease);
  await take(6);
  const uploads = [await buildMediaItem(db, userId), await buildMediaItem(db, userId)].map(({ id }) => id);
  await sweep(deps, lease);
  const taken = await take(8);
  assert.deepEqual(taken.slice(0, 2).toSorted(), uploads.toSorted());
});

test('limits all jobs together to 1,000 items in progress', async () => {
  const many = await setUp(1_010, 'METADATA');
  await runJobs(deps, lease);
  assert.equal(await queues.depth('media'), 1_000);
  await runJobs(deps, lease);
  assert.equal(await queues.depth('media'), 1_000);
  await changeJobStatus(db, many.userId, many.jobId, 'STOPPED');
  await take(1_000, undefined, 20);

  const jobs = [await setUp(600, 'METADATA'), await setUp(600, 'METADATA')];
  await runJobs(deps, lease);
  assert.equal(await queues.depth('media'), 1_000);
  for (const { userId, jobId } of jobs) await changeJobStatus(db, userId, jobId, 'PAUSED');
  const processed: string[] = [];
  await take(1_000, async (id) => processed.push(...(await processItem(db, id))), 20);
  assert.deepEqual(processed, [], 'queued items of a paused job are not processed');
});

test('goes through a library in one step if no item needs work', async () => {
  const { userId, jobId } = await setUp(1_500, 'PLACES');
  await updateUser(db, userId, { features: { places: false } });
  await runJobs(deps, lease);
  assert.deepEqual((await getJobState(db, jobId)).progress, [1_500, 1_500, 0]);
});

test('enqueues each item once with two concurrent runners, and changes nothing after losing the lease', async () => {
  const { ids, jobId } = await setUp(20, 'METADATA');
  await Promise.all([runJobs(deps, lease), runJobs(deps, lease)]);
  const taken = await take(await queues.depth('media'), (id) => processItem(db, id));
  assert.deepEqual(taken.toSorted(), ids);
  const before = await getJobState(db, jobId);
  await assert.rejects(runJobs(deps, { ...lease, fencing: lease.fencing - 1 }), LeaseLostError);
  assert.deepEqual(await getJobState(db, jobId), before);
});

test('continues a job without the queue, and the next sweep enqueues its runs', async () => {
  const { ids } = await setUp(3, 'METADATA');
  const unavailable = { ...queues, enqueue: async () => Promise.reject(new Error('unavailable')) };
  await runJobs({ ...deps, queues: unavailable }, lease);
  assert.equal(await queues.depth('media'), 0);
  await sweep(deps, lease);
  assert.deepEqual((await take(3)).toSorted(), ids);
});
