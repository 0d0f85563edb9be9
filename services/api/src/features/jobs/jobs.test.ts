import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { removeAccount } from '@hearth/testkit/rows/removeAccount.ts';
import { buildReadyItems, processItem } from '@hearth/testkit/rows/libraryJobs.ts';
import { acquireLease } from '../../housekeeping/leases/leases.ts';
import { runJobs } from '../../housekeeping/runs/jobs.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { deps } = api;
const { db } = deps;
after(() => api.stop());
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;

/** Creates a user with READY items and helpers for jobs. */
const setUp = async (count = 0) => {
  const user = await api.signUp();
  const { call } = user;
  const get = async (id: string) => (await call('getJob', { params: { id } })).body;
  return {
    ...user,
    items: await buildReadyItems(db, user.id, count),
    create: async (components: unknown = ['METADATA']) => call('createJob', { body: { components } }),
    put: async (id: string, status: string) => (await call('updateJob', { params: { id }, body: { status } })).status,
    get,
    stateOf: async (id: string) => (await get(id)).status,
  };
};

test('a job passes through SCHEDULED, RUNNING and COMPLETED and reports its progress', async () => {
  const { id: userId, items, create, get } = await setUp(3);
  const response = await create(['metadata', ' PLACES ']);
  const { id } = response.body;
  assert.deepEqual([response.status, response.headers.get('location')], [201, `/v1/jobs/${id}`]);
  const { createdAt, updatedAt, ...job } = response.body;
  assert.deepEqual(job, {
    id,
    userId,
    components: ['METADATA', 'PLACES'],
    status: 'SCHEDULED',
    progress: { total: 3, done: 0, failed: 0 },
  });
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(await get(id), response.body);

  await runJobs(deps, lease);
  assert.equal((await get(id)).status, 'RUNNING');
  await processItem(db, items[0]!);
  await processItem(db, items[1]!, () => ({ state: 'FAILED', reason: 'CORRUPT' }));
  await runJobs(deps, lease);
  const half = await get(id);
  assert.deepEqual([half.lastMediaItemId, half.progress], [items[1], { total: 3, done: 2, failed: 1 }]);
  await processItem(db, items[2]!);
  await runJobs(deps, lease);
  const { status, progress, lastMediaItemId } = await get(id);
  assert.deepEqual([status, lastMediaItemId, progress], ['COMPLETED', items[2], { total: 3, done: 3, failed: 1 }]);
});

test('accepts components as a list or as text in any case, and rejects wrong ones', async () => {
  const { create, put } = await setUp();
  for (const components of ['faces, ocr', ['Faces', 'OCR'], 'FACES,OCR']) {
    const { body } = await create(components);
    assert.deepEqual(body.components, ['FACES', 'OCR']);
    assert.equal(await put(body.id, 'stopped'), 204);
  }
  for (const components of [[], '', 'TRANSCODE', ['METADATA', 'metadata'], 'METADATA,', ['all'], null, 5]) {
    assert.equal((await create(components)).status, 400, JSON.stringify(components));
  }
});

test('allows one unfinished job per user', async () => {
  const { create, put, call } = await setUp();
  const { id } = (await create()).body;
  for (const status of ['SCHEDULED', 'PAUSED', 'RUNNING']) {
    assert.equal(await put(id, status), 204);
    const refused = await create();
    assert.deepEqual([refused.status, refused.error.code], [409, 'CONFLICT']);
  }
  assert.equal((await (await setUp()).create()).status, 201);
  await put(id, 'STOPPED');
  const second = (await create()).body.id;
  const listed = await call('listJobs', { query: { limit: 1 } });
  assert.deepEqual(
    listed.body.map((job) => job.id),
    [second],
  );
  const next = new URL(/^<([^>]+)>; rel="next"$/.exec(listed.headers.get('link') ?? '')![1]!, api.url);
  for (const query of [{ limit: 1, page: 2 }, Object.fromEntries(next.searchParams)]) {
    const last = await call('listJobs', { query });
    assert.deepEqual([last.body.map((job) => job.id), last.headers.get('link')], [[id], null]);
  }
});

test('creates only one of several concurrent jobs', async () => {
  const { create } = await setUp();
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => create()))).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, ...Array.from({ length: 7 }, () => 409)],
  );
});

/** Allowed status changes by current status. All others return 409. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SCHEDULED', 'PAUSED', 'STOPPED'],
  RUNNING: ['RUNNING', 'PAUSED', 'STOPPED'],
  PAUSED: ['PAUSED', 'RUNNING', 'STOPPED'],
  COMPLETED: ['COMPLETED'],
  STOPPED: ['STOPPED'],
};

test('allows exactly the specified status changes', async () => {
  for (const [from, statuses] of Object.entries(allowed)) {
    for (const to of Object.keys(allowed)) {
      const { create, put, stateOf } = await setUp();
      const { id } = (await create()).body;
      await db
        .updateTable('jobs')
        .set({ status: from as 'RUNNING' })
        .where('id', '=', id)
        .execute();
      const isAllowed = statuses.includes(to);
      assert.equal(await put(id, to.toLowerCase()), isAllowed ? 204 : 409, `${from} to ${to}`);
      assert.equal(await stateOf(id), isAllowed ? to : from);
    }
  }
  const { create, put } = await setUp();
  assert.equal(await put((await create()).body.id, 'GONE'), 400);
});

test('hides jobs of other users', async () => {
  const { id } = (await (await setUp()).create()).body;
  const { put, call } = await setUp();
  for (const unknown of [id, randomUUID()]) {
    const response = await call('getJob', { params: { id: unknown } });
    assert.deepEqual([response.status, response.error.message], [404, 'job not found']);
    assert.equal(await put(unknown, 'STOPPED'), 404);
  }
  assert.deepEqual((await call('listJobs')).body, []);
});

test('pauses the job of a user whose jobs are switched off, and deletes it with the user', async () => {
  const { id: userId, items, create, stateOf, put } = await setUp(1);
  const setJobs = async (jobs: boolean) =>
    api.callAsAdmin('updateUser', { params: { id: userId }, body: { features: { jobs } } });
  const { id } = (await create()).body;
  await runJobs(deps, lease);
  await setJobs(false);
  await runJobs(deps, lease);
  assert.deepEqual(await processItem(db, items[0]!), []);
  await setJobs(true);
  assert.equal(await stateOf(id), 'PAUSED');
  await put(id, 'RUNNING');
  await runJobs(deps, lease);

  await api.callAsAdmin('deleteUser', { params: { id: userId } });
  await runJobs(deps, lease);
  await removeAccount(db, userId);
  assert.deepEqual(await db.selectFrom('jobs').select('id').where('user_id', '=', userId).execute(), []);
});
