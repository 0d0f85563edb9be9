import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline } from '../config/pipeline.ts';
import { buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { setRuns } from '@hearth/testkit/rows/libraryJobs.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { unblockRuns } from './blockedRuns.ts';
import { claimRun, listRuns, type Claim } from './componentRuns.ts';
import { changeJobStatus, insertJob } from '@hearth/api/features/jobs/queries.ts';
import { stepJob } from '@hearth/api/features/jobs/jobSteps.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
import { failCrashedRuns, listDueItems } from '@hearth/api/housekeeping/runs/dueRuns.ts';
import { recordOutcome, type Outcome } from './runOutcomes.ts';
import type { ComponentRunRow } from '../db/schema.ts';
import { deferRuns } from './waitingRuns.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const user = await buildUser(db);

/** The components, but `SEARCH` has its own pool, waits for the preview, and is for photos only. */
const pipeline: Pipeline = [
  ...components.filter(({ name }) => name !== 'SEARCH'),
  {
    name: 'SEARCH',
    pools: { PHOTO: { name: 'models', concurrency: 1 } },
    after: ['PREVIEW_THUMBNAIL'],
    version: 1,
    required: false,
  },
];
const options = { components: pipeline };

const insert = async (values = {}): Promise<string> =>
  (await insertMediaItem(db, newMediaItem(user.id, values), options)).id;
const claim = async (id: string, pool: string): Promise<Claim | undefined> => claimRun(db, id, pool, 60_000, options);
const getRun = async (id: string, name: ComponentName): Promise<ComponentRunRow | undefined> =>
  (await listRuns(db, id)).find(({ component }) => component === name);
const isListed = async (id: string): Promise<boolean> =>
  (await listDueItems(db, 'models', 1_000, pipeline)).some((item) => item.id === id);
const record = async (claimed: Claim | undefined, outcome: Outcome) => recordOutcome(db, claimed!, outcome, pipeline);
const beginPreview = async (id: string): Promise<Claim> => {
  await record(await claim(id, 'media'), { state: 'DONE', warnings: [] });
  const claimed = await claim(id, 'media');
  assert.equal(claimed?.component, 'PREVIEW_THUMBNAIL');
  return claimed;
};
const makeDue = (id: string, component: ComponentName) =>
  db
    .updateTable('component_runs')
    .set({ state: 'PENDING', attempts: 0, next_attempt_at: new Date(0) })
    .where('media_item_id', '=', id)
    .where('component', '=', component)
    .execute();

for (const outcome of [
  { state: 'DONE', warnings: [] },
  { state: 'SKIPPED', reason: 'NOT_APPLICABLE' },
  { state: 'FAILED', reason: 'CORRUPT' },
  { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: 'decode image/heic' },
] as const satisfies Outcome[]) {
  test(`makes a waiting run due when the other run is ${outcome.state}, and not before`, async () => {
    const id = await insert();
    const preview = await beginPreview(id);
    assert.deepEqual([await isListed(id), await claim(id, 'models')], [false, undefined]);
    const due = await record(preview, outcome);
    const released = pipeline.filter(({ after = [] }) => after.includes('PREVIEW_THUMBNAIL')).map(({ name }) => name);
    assert.deepEqual(due?.toSorted(), ['PLACES', ...released].toSorted());
    assert.equal(await isListed(id), true);
    assert.equal((await claim(id, 'models'))?.component, 'SEARCH');
  });
}

test('does not release a waiting run while the other run is retried', async () => {
  const id = await insert();
  const due = await record(await beginPreview(id), { state: 'RETRY', reason: 'INTERNAL' });
  assert.deepEqual(due, ['PLACES']);
  assert.deepEqual([await isListed(id), await claim(id, 'models')], [false, undefined]);
});

test('releases a waiting run when the other run fails because its workers vanished', async () => {
  const id = await insert();
  assert.equal((await claim(id, 'media'))?.component, 'METADATA');
  await db
    .updateTable('component_runs')
    .set({ attempts: 5, lease_until: new Date(0) })
    .where('media_item_id', '=', id)
    .where('component', '=', 'METADATA')
    .execute();
  await failCrashedRuns(db);
  const claims = [await claim(id, 'media'), await claim(id, 'media')];
  assert.deepEqual(
    claims.map((each) => each?.component),
    ['PREVIEW_THUMBNAIL', 'PLACES'],
  );
});

test('lists a run that became due too early until a worker defers it, and later when it may start', async () => {
  const id = await insert();
  await record(await beginPreview(id), { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: 'decode a' });
  await record(await claim(id, 'models'), { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: 'decode a' });
  await unblockRuns(db, ['decode a']);
  assert.equal(await isListed(id), true);
  assert.equal(await claim(id, 'models'), undefined);
  assert.equal(await isListed(id), false);
  await claim(id, 'media');
  await record(await claim(id, 'media'), { state: 'DONE', warnings: [] });
  await makeDue(id, 'PREVIEW_THUMBNAIL');
  await record(await claim(id, 'media'), { state: 'DONE', warnings: [] });
  assert.equal((await claim(id, 'models'))?.component, 'SEARCH');
});

test('releases a waiting run when a job that repeats the other run is paused', async () => {
  const id = await insert();
  await setRuns(db, [id], { state: 'DONE' });
  const job = await insertJob(db, user.id, ['METADATA']);
  await stepJob(db, job.id, 1_000, options);
  await setRuns(db, [id], { state: 'PENDING' }, 'PLACES');
  await deferRuns(db, id);
  await changeJobStatus(db, user.id, job.id, 'PAUSED');
  await changeJobStatus(db, user.id, job.id, 'STOPPED');
  assert.equal((await claim(id, 'media'))?.component, 'PLACES');
});

test('leaves no run waiting forever when one worker defers it while another releases it', async () => {
  for (let round = 0; round < 25; round += 1) {
    const id = await insert();
    const preview = await beginPreview(id);
    await makeDue(id, 'SEARCH');
    await Promise.all([record(preview, { state: 'DONE', warnings: [] }), claim(id, 'models'), claim(id, 'models')]);
    const run = await getRun(id, 'SEARCH');
    assert.ok(run?.state === 'RUNNING' || (await claim(id, 'models')) !== undefined, `round ${round}`);
  }
});

test('creates no run for an item type without a pool, even if a job creates missing runs', async () => {
  const id = await insert({ type: 'VIDEO', mime_type: 'video/mp4' });
  assert.equal(await getRun(id, 'SEARCH'), undefined);
  const photo = await insert();
  await db.deleteFrom('component_runs').where('component', '=', 'SEARCH').execute();
  const job = await insertJob(db, user.id, ['SEARCH']);
  const { opened } = await stepJob(db, job.id, 1_000, options);
  assert.ok(opened.some(({ mediaItemId }) => mediaItemId === photo));
  assert.equal(await getRun(id, 'SEARCH'), undefined);
});
