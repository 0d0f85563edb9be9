import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { changeJobStatus, getJob, insertJob, listJobs } from './queries.ts';
import { listUnfinishedJobs, stepJob } from './jobSteps.ts';
import { listEndedJobsWithRuns } from './jobRuns.ts';
import { listDueItems } from '../../housekeeping/runs/dueRuns.ts';
import { findDueItemOfOthers } from '@hearth/core/runs/dueRuns.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const [large, small] = [await buildUser(db), await buildUser(db)];

before(async () => {
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, taken_at, local_time, type, status, created_at)
    select id, case when n % 2000 = 0 then ${small.id}::uuid else ${large.id} end, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1,
      now(), timestamp '2022-04-03' - n * interval '1 hour', 'PHOTO', 'READY', now() - interval '1 day'
    from (select gen_random_uuid() as id, n from generate_series(1, 40000) as n) as items`.execute(db);
  await sql`
    insert into component_runs (media_item_id, user_id, component, type, version, state, finished_at)
    select id, user_id, component, type, 1, 'DONE', now() - interval '1 day'
    from media_items, unnest(array['METADATA', 'PREVIEW_THUMBNAIL', 'PLACES']) as component`.execute(db);
  while ((await rollUpCounts(db, 10_000)) > 0);
  await sql`vacuum analyze`.execute(db);
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const descend = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(descend)];

/**
 * Captures the statements of `work` and returns their plans with actual row counts, in order. Rolls everything back.
 */
const capturePlans = async (work: (db: Database) => Promise<unknown>): Promise<PlanNode[][]> => {
  const plans: PlanNode[][] = [];
  const rollback = new Error('rollback');
  const sent = await captureStatements(() =>
    transaction(db, async (trx) => {
      await work(trx);
      throw rollback;
    }).catch((error: unknown) => assert.equal(error, rollback)),
  );
  for (const { text, values } of sent) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue;
    await transaction(db, async (trx) => {
      const explained = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...values]);
      const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
      plans.push(descend(rows[0]!['QUERY PLAN'][0].Plan));
      throw rollback;
    }).catch((error: unknown) => assert.equal(error, rollback, text));
  }
  assert.ok(plans.length > 0);
  return plans;
};

/** Items per step. Few enough for the small library with 20. */
const window = 5;

/** Tables that grow with a library. */
const growing = new Set(['media_items', 'component_runs']);

/** Asserts that no growing table is scanned, and that only the rows of a few windows are read. */
const assertFlat = (plans: readonly PlanNode[][], maxRows = 12 * window): void => {
  for (const node of plans.flat().filter((each) => growing.has(each['Relation Name'] ?? ''))) {
    assert.notEqual(node['Node Type'], 'Seq Scan', JSON.stringify(node));
    const read = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
    assert.ok(read <= maxRows, `reads ${read} rows: ${JSON.stringify(node)}`);
  }
};

for (const [name, user] of Object.entries({ large, small })) {
  test(`jobs read only a few rows in a ${name} library`, async () => {
    assertFlat(await capturePlans((trx) => insertJob(trx, user.id, ['METADATA'])));
    const { id } = await insertJob(db, user.id, ['METADATA', 'PREVIEW_THUMBNAIL', 'PLACES']);
    const step = (trx: Database) => stepJob(trx, id, window);
    for (let steps = 0; steps < 3; steps++) {
      assertFlat(await capturePlans(step));
      await transaction(db, step);
      await db
        .updateTable('component_runs')
        .set({ state: 'DONE', finished_at: new Date(), job_id: null, earlier: null })
        .where('job_id', '=', id)
        .execute();
    }
    await transaction(db, step);
    assertFlat(await capturePlans(listUnfinishedJobs));
    assertFlat(await capturePlans(listEndedJobsWithRuns));
    assertFlat(await capturePlans((trx) => changeJobStatus(trx, user.id, id, 'PAUSED')));
    assertFlat(await capturePlans((trx) => getJob(trx, user.id, id)));
    assertFlat(await capturePlans((trx) => listJobs(trx, user.id, { limit: 15, start: { number: 1 } })));
    await changeJobStatus(db, user.id, id, 'STOPPED');
  });
}

test('finds photos to prioritize by the index of unfinished items, however many another owner has', async () => {
  await sql`update media_items set status = 'PROCESSING' where user_id = ${large.id} and local_time > '2021-01-01'`.execute(
    db,
  );
  await sql`
    update media_items set status = 'PROCESSING'
    where id in (select id from media_items where user_id = ${small.id} limit 2)`.execute(db);
  await sql`
    update component_runs set state = 'PENDING', next_attempt_at = now() - interval '1 hour'
    where media_item_id in (select id from media_items where status = 'PROCESSING')`.execute(db);
  await sql`vacuum analyze`.execute(db);
  const plans = await capturePlans(async (trx) => assert.ok(await findDueItemOfOthers(trx, 'media', [large.id])));
  assertFlat(plans);
  assertFlat(await capturePlans((trx) => findDueItemOfOthers(trx, 'media', [large.id, small.id])));
});

test('a sweep of a pool without due runs does not read the due runs of other pools', async () => {
  for (const pool of ['video', 'transcode']) assertFlat(await capturePlans((trx) => listDueItems(trx, pool, 2_000)));
  assertFlat(await capturePlans((trx) => listDueItems(trx, 'media', window)));
});

test('blocked photos of an owner cost a few lookups, whatever their number', async () => {
  await sql`update component_runs set state = 'BLOCKED', blocked_on = 'x' where state = 'PENDING'`.execute(db);
  await sql`vacuum analyze`.execute(db);
  assertFlat(await capturePlans((trx) => findDueItemOfOthers(trx, 'media', [])), 1_000);
});
