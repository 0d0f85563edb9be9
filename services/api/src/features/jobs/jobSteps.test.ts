import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import {
  startRun,
  buildReadyItems,
  setRuns,
  getJobState,
  listStates,
  processItem,
} from '@hearth/testkit/rows/libraryJobs.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { componentsIn } from '@hearth/core/config/pipeline.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { changeJobStatus, insertJob } from './queries.ts';
import { stepJob, withdrawLeftoverRuns, type JobStep } from './jobSteps.ts';
import { recordOutcome, type OutcomeWrites } from '@hearth/core/runs/runOutcomes.ts';
import { reprocessMovedPlace } from '@hearth/worker/places/itemPlaces.ts';
import type { MediaItemChanges } from '@hearth/core/db/schema.ts';
import { updateUser, type User } from '../../accounts/users.ts';
import { listEndedJobsWithRuns } from './jobRuns.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 4 });
after(drop);
let user: User;
beforeEach(async () => {
  user = await buildUser(db);
});

const createJob = async (...components: ComponentName[]): Promise<string> =>
  (await insertJob(db, user.id, components)).id;
const step = async (id: string, window = 10): Promise<JobStep> => transaction(db, (trx) => stepJob(trx, id, window));
const changeStatus = async (id: string, status: 'PAUSED' | 'RUNNING' | 'STOPPED') =>
  changeJobStatus(db, user.id, id, status);
const columnsOf = async (id: string) =>
  db
    .selectFrom('component_runs')
    .select(['component', 'state', 'version', 'attempts', 'reason', 'finished_at', 'job_id', 'earlier'])
    .where('media_item_id', '=', id)
    .orderBy('component')
    .execute();
const statusOf = async (id: string) =>
  (await db.selectFrom('media_items').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

test('reprocesses each item once, in a window that moves as items finish', async () => {
  const ids = await buildReadyItems(db, user.id, 5);
  const job = await createJob('METADATA', 'PLACES');
  assert.deepEqual(await getJobState(db, job), { status: 'SCHEDULED', last: null, progress: [5, 0, 0] });

  const opened = (await step(job, 2)).opened.map(({ mediaItemId, component }) => `${mediaItemId} ${component}`);
  assert.deepEqual(
    opened.toSorted(),
    ids.slice(0, 2).flatMap((id) => [`${id} METADATA`, `${id} PLACES`]),
  );
  assert.deepEqual(await getJobState(db, job), { status: 'RUNNING', last: null, progress: [5, 0, 0] });
  assert.deepEqual((await step(job, 2)).opened, []);

  // Finishes the second item first. Progress does not pass the unfinished first item.
  assert.deepEqual(await processItem(db, ids[1]!), ['METADATA', 'PLACES']);
  assert.deepEqual((await step(job, 2)).opened, []);
  assert.deepEqual(await getJobState(db, job), { status: 'RUNNING', last: null, progress: [5, 0, 0] });
  assert.deepEqual(await processItem(db, ids[0]!), ['METADATA', 'PLACES']);
  assert.equal((await step(job, 2)).done, 2);
  assert.deepEqual(await getJobState(db, job), { status: 'RUNNING', last: ids[1], progress: [5, 2, 0] });

  for (const id of ids.slice(2)) {
    await step(job, 2);
    assert.deepEqual(await processItem(db, id), ['METADATA', 'PLACES']);
  }
  assert.equal((await step(job, 2)).isCompleted, true);
  assert.deepEqual(await getJobState(db, job), { status: 'COMPLETED', last: ids[4], progress: [5, 5, 0] });
  for (const id of ids) assert.deepEqual(await processItem(db, id), []);
  const named = await db.selectFrom('component_runs').select('component').where('job_id', '=', job).execute();
  assert.deepEqual(named, [], 'finished runs no longer belong to the job');
});

test('keeps READY items READY, and FAILED items FAILED until their preview succeeds', async () => {
  const [ready, failed] = (await buildReadyItems(db, user.id, 2)) as [string, string];
  await setRuns(db, [failed], { state: 'FAILED', reason: 'CORRUPT' }, 'PREVIEW_THUMBNAIL');
  await db.updateTable('media_items').set({ status: 'FAILED' }).where('id', '=', failed).execute();
  const job = await createJob('METADATA', 'PREVIEW_THUMBNAIL');
  await step(job);
  for (const [id, status] of [
    [ready, 'READY'],
    [failed, 'FAILED'],
  ] as const) {
    assert.equal(await statusOf(id), status);
    const claim = (await startRun(db, id))!;
    assert.equal(claim.component, 'METADATA');
    await recordOutcome(db, claim, { state: 'DONE', warnings: [] });
    assert.equal(await statusOf(id), status);
    await processItem(db, id);
    assert.equal(await statusOf(id), 'READY');
  }
});

test('a pause resets runs that have not started, and a resume continues there', async () => {
  const ids = await buildReadyItems(db, user.id, 4);
  await setRuns(db, [ids[2]!], { state: 'FAILED', reason: 'CORRUPT' });
  const before = await Promise.all(ids.map(columnsOf));
  const job = await createJob('METADATA');
  await step(job);
  await processItem(db, ids[0]!);
  const activeRun = (await startRun(db, ids[1]!))!;
  await step(job);
  await changeStatus(job, 'PAUSED');
  assert.deepEqual(await Promise.all(ids.slice(2).map(columnsOf)), before.slice(2));
  for (const id of ids) assert.deepEqual(await processItem(db, id), []);
  // The active run finishes, and counts after the resume.
  await recordOutcome(db, activeRun, { state: 'DONE', warnings: [] });
  assert.deepEqual((await step(job)).opened, []);
  assert.deepEqual(await getJobState(db, job), { status: 'PAUSED', last: ids[0], progress: [4, 1, 0] });

  await changeStatus(job, 'RUNNING');
  assert.deepEqual((await step(job)).opened.map(({ mediaItemId }) => mediaItemId).toSorted(), ids.slice(2));
  for (const id of ids) await processItem(db, id);
  await step(job);
  assert.deepEqual(await getJobState(db, job), { status: 'COMPLETED', last: ids[3], progress: [4, 4, 0] });
});

test('resets runs that were active at the pause and end with a retry', async () => {
  const ids = await buildReadyItems(db, user.id, 1);
  const [before] = await Promise.all(ids.map(columnsOf));
  const job = await createJob('METADATA');
  await step(job);
  const claim = (await startRun(db, ids[0]!))!;
  await changeStatus(job, 'STOPPED');
  assert.deepEqual(await listEndedJobsWithRuns(db), []);
  await recordOutcome(db, claim, { state: 'RETRY', reason: 'INTERNAL' });
  assert.deepEqual(await listEndedJobsWithRuns(db), [job]);
  await transaction(db, (trx) => withdrawLeftoverRuns(trx, job));
  assert.deepEqual(await columnsOf(ids[0]!), before);
  assert.deepEqual(await listEndedJobsWithRuns(db), []);
});

test('resets the run of a vanished worker when the job is stopped', async () => {
  const ids = await buildReadyItems(db, user.id, 1);
  const [before] = await Promise.all(ids.map(columnsOf));
  const job = await createJob('METADATA');
  await step(job);
  const claim = (await startRun(db, ids[0]!))!;
  await db
    .updateTable('component_runs')
    .set({ lease_until: new Date(0) })
    .where('job_id', '=', job)
    .execute();
  await changeStatus(job, 'STOPPED');
  assert.deepEqual(await columnsOf(ids[0]!), before);
  assert.equal(await recordOutcome(db, claim, { state: 'DONE', warnings: [] }), undefined);
});

test('leaves runs of an upload alone, gives them priority and does not wait for them', async () => {
  const uploaded = await buildMediaItem(db, user.id);
  const before = await columnsOf(uploaded.id);
  const job = await createJob('METADATA', 'PREVIEW_THUMBNAIL', 'PLACES');
  assert.deepEqual((await step(job)).opened, []);
  assert.deepEqual(await columnsOf(uploaded.id), before);
  assert.equal((await step(job)).isCompleted, true);

  // The remaining runs of a half-processed item run before the job's, and make it READY.
  await processItem(db, uploaded.id);
  const half = await buildMediaItem(db, user.id);
  await setRuns(db, [half.id], { state: 'DONE' }, 'METADATA');
  await step(await createJob('METADATA'));
  const claims: string[] = [];
  await processItem(db, half.id, ({ component }) => {
    claims.push(component);
    return { state: 'DONE', warnings: [] };
  });
  assert.deepEqual(
    claims,
    ['PREVIEW_THUMBNAIL', 'METADATA', 'PLACES', ...componentsIn('ml').map(({ name }) => name)],
    'PLACES waits for METADATA',
  );
  assert.equal(await statusOf(half.id), 'READY');
});

test('a half-processed item becomes READY before a job reprocesses its finished half', async () => {
  const half = await buildMediaItem(db, user.id);
  await setRuns(db, [half.id], { state: 'DONE' }, 'METADATA');
  await step(await createJob('METADATA'));
  const claim = (await startRun(db, half.id))!;
  assert.equal(claim.component, 'PREVIEW_THUMBNAIL');
  await recordOutcome(db, claim, { state: 'DONE', warnings: [] });
  assert.equal(await statusOf(half.id), 'READY');
});

test('reprocesses trashed and hidden items, but neither items being removed nor later uploads', async () => {
  const ids = await buildReadyItems(db, user.id, 4);
  const change = async (id: string, values: MediaItemChanges) =>
    db.updateTable('media_items').set(values).where('id', '=', id).execute();
  await change(ids[0]!, { deleted_at: new Date() });
  await change(ids[1]!, { is_hidden: true });
  await change(ids[2]!, { removing_at: new Date() });
  const job = await createJob('METADATA');
  await buildReadyItems(db, user.id, 3);
  const { opened } = await step(job);
  assert.deepEqual(opened.map(({ mediaItemId }) => mediaItemId).toSorted(), [ids[0], ids[1], ids[3]]);
  // An item that is removed while it waits does not block the job.
  await change(ids[0]!, { removing_at: new Date() });
  for (const id of ids) await processItem(db, id);
  await step(job);
  assert.deepEqual(await getJobState(db, job), { status: 'COMPLETED', last: ids[3], progress: [2, 2, 0] });
});

test('blocked, switched-off and failing runs do not block the job', async () => {
  const ids = await buildReadyItems(db, user.id, 3);
  await setRuns(db, ids.slice(0, 1), { state: 'BLOCKED', reason: 'NO_MAP' }, 'PLACES');
  const job = await createJob('PLACES');
  assert.equal((await step(job)).opened.length, 2);
  assert.equal((await listStates(db, ids[0]!))['PLACES'], 'BLOCKED');
  await processItem(db, ids[1]!, () => ({ state: 'FAILED', reason: 'CORRUPT' }));
  // The worker skips the waiting run after its feature is switched off.
  await updateUser(db, user.id, { features: { places: false } });
  assert.deepEqual(await processItem(db, ids[2]!), []);
  await step(job);
  assert.deepEqual(await getJobState(db, job), { status: 'COMPLETED', last: ids[2], progress: [3, 3, 1] });

  const off = await createJob('PLACES');
  assert.deepEqual((await step(off)).opened, []);
  await step(off);
  assert.equal((await getJobState(db, off)).status, 'COMPLETED');

  // After the feature is switched on again, a job makes the skipped runs due.
  await updateUser(db, user.id, { features: { places: true } });
  const on = await createJob('PLACES');
  assert.equal((await step(on)).opened.length, 2);
});

test('creates a missing run, and deletes it if the job is stopped before it starts', async () => {
  const [id] = (await buildReadyItems(db, user.id, 1)) as [string];
  await db.deleteFrom('component_runs').where('component', '=', 'PLACES').where('media_item_id', '=', id).execute();
  const before = await columnsOf(id);
  const stopped = await createJob('PLACES');
  assert.equal((await step(stopped)).opened.length, 1);
  await changeStatus(stopped, 'STOPPED');
  assert.deepEqual(await columnsOf(id), before);
  await step(await createJob('PLACES'));
  assert.deepEqual(await processItem(db, id), ['PLACES']);
});

test('reprocesses TRANSCODE together with PREVIEW_THUMBNAIL if the item has both runs', async () => {
  const ids = await buildReadyItems(db, user.id, 2);
  await db
    .insertInto('component_runs')
    .values({
      media_item_id: ids[0]!,
      user_id: user.id,
      component: 'TRANSCODE',
      type: 'PHOTO',
      version: 1,
      state: 'DONE',
    })
    .execute();
  const job = await createJob('PREVIEW_THUMBNAIL');
  assert.equal((await step(job)).opened.length, 3);
  await processItem(db, ids[1]!);
  const preview = (await startRun(db, ids[0]!))!;
  await recordOutcome(db, preview, { state: 'DONE', warnings: [], requestedRuns: ['TRANSCODE'] });
  await step(job);
  assert.equal((await getJobState(db, job)).status, 'RUNNING');
  assert.deepEqual(await processItem(db, ids[0]!), ['TRANSCODE']);
  assert.equal((await step(job)).isCompleted, true);
});

test('when a job is stopped, keeps the runs that became due for another reason', async () => {
  const [moved, requesting] = (await buildReadyItems(db, user.id, 2)) as [string, string];
  await db
    .insertInto('component_runs')
    .values({
      media_item_id: requesting,
      user_id: user.id,
      component: 'TRANSCODE',
      type: 'PHOTO',
      version: 1,
      state: 'SKIPPED',
    })
    .execute();
  const job = await createJob('METADATA', 'PREVIEW_THUMBNAIL', 'PLACES');
  await step(job);
  const changes = { latitude: 47, longitude: 8 };
  const writes: OutcomeWrites = { write: (trx) => reprocessMovedPlace(trx, moved, changes) };
  await recordOutcome(db, (await startRun(db, moved))!, { state: 'DONE', warnings: [], changes, writes });
  await recordOutcome(db, (await startRun(db, requesting))!, {
    state: 'DONE',
    warnings: [],
    requestedRuns: ['TRANSCODE'],
  });
  await changeStatus(job, 'STOPPED');
  assert.deepEqual(await processItem(db, moved), ['PLACES']);
  assert.deepEqual(await processItem(db, requesting), ['TRANSCODE']);
});

test('completes a job over an empty library at once', async () => {
  const job = await createJob('METADATA');
  assert.equal((await step(job)).isCompleted, true);
  assert.deepEqual(await getJobState(db, job), { status: 'COMPLETED', last: null, progress: [0, 0, 0] });
});
