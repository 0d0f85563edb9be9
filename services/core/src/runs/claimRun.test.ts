import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { getComponentVersion } from '../config/pipeline.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { claimRun, listRuns, maxAttempts, recordProgress, renewLease } from './componentRuns.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';
import { recordOutcome } from './runOutcomes.ts';
import type { ComponentRunRow } from '../db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const user = await buildUser(db);

const buildItemId = async (): Promise<string> => (await buildMediaItem(db, user.id)).id;

const claim = (itemId: string, leaseMs = 60_000) => claimRun(db, itemId, 'media', leaseMs);

const getRun = async (itemId: string, component: string): Promise<ComponentRunRow> =>
  (await listRuns(db, itemId)).find((run) => run.component === component)!;

const changeRuns = async (itemId: string, changes: Partial<ComponentRunRow>): Promise<void> => {
  await db.updateTable('component_runs').set(changes).where('media_item_id', '=', itemId).execute();
};

const longAgo = new Date(Date.now() - 3_600_000);

test('starts exactly one run per call, in the order of the pipeline', async () => {
  const itemId = await buildItemId();
  const first = await claim(itemId);
  assert.equal(first?.component, 'METADATA');
  assert.equal(first.mediaItemId, itemId);
  assert.equal(first.attempts, 1);
  assert.equal((await getRun(itemId, 'PREVIEW_THUMBNAIL')).state, 'PENDING');
  const second = await claim(itemId);
  assert.equal(second?.component, 'PREVIEW_THUMBNAIL');
  assert.equal(await claim(itemId), undefined);
  await recordOutcome(db, first, { state: 'DONE', warnings: [] });
  assert.equal((await claim(itemId))?.component, 'PLACES');
  assert.equal(await claim(itemId), undefined);
});

test('commits a claim with its lease before it returns', async () => {
  const itemId = await buildItemId();
  const claimed = await claim(itemId, 60_000);
  const { rows } = await sql<{ state: string; claim_id: string; lease: number }>`
    select state, claim_id, extract(epoch from lease_until - clock_timestamp())::float8 as lease
    from component_runs where media_item_id = ${itemId} and component = 'METADATA'`.execute(db);
  const [run] = rows;
  assert.equal(run?.state, 'RUNNING');
  assert.equal(run.claim_id, claimed?.claimId);
  assert(run.lease > 0 && run.lease <= 60, `the lease lasts ${run.lease} s`);
});

test('gives no run to two concurrent callers, and starts each run once', async () => {
  const itemIds = await Promise.all(Array.from({ length: 10 }, buildItemId));
  const calls = itemIds.flatMap((itemId) => Array.from({ length: 6 }, () => claim(itemId)));
  const claims = (await Promise.all(calls)).filter((claimed) => claimed !== undefined);
  const runs = claims.map(({ mediaItemId, component }) => `${mediaItemId} ${component}`);
  assert.equal(new Set(runs).size, runs.length);
  // A call skips locked runs, so it may return nothing while runs are left.
  for (const itemId of itemIds) while ((await claim(itemId)) !== undefined) runs.push(itemId);
  assert.equal(runs.length, 20);
  assert(claims.every(({ attempts }) => attempts === 1));
});

test('starts a run again after its lease has expired, as another attempt with a new claim', async () => {
  const itemId = await buildItemId();
  const first = await claim(itemId);
  await changeRuns(itemId, { lease_until: longAgo });
  const second = await claim(itemId);
  assert.equal(second?.component, 'METADATA');
  assert.equal(second.attempts, 2);
  assert.notEqual(second.claimId, first?.claimId);
});

test('starts a run at most five times if its worker vanishes each time', async () => {
  const itemId = await buildItemId();
  await db
    .deleteFrom('component_runs')
    .where('component', '<>', 'METADATA')
    .where('media_item_id', '=', itemId)
    .execute();
  const attempts: number[] = [];
  for (let i = 0; i < 8; i++) {
    const claimed = await claim(itemId);
    if (claimed !== undefined) attempts.push(claimed.attempts);
    await changeRuns(itemId, { lease_until: longAgo });
  }
  assert.equal(maxAttempts, 5);
  assert.deepEqual(attempts, [1, 2, 3, 4, 5]);
});

test('starts no run before it is due, and none of an item that is missing or being deleted', async () => {
  const early = await buildItemId();
  await changeRuns(early, { next_attempt_at: new Date(Date.now() + 3_600_000) });
  assert.equal(await claim(early), undefined);

  const removed = await buildItemId();
  await setTrashed(db, user.id, [removed], true);
  assert.notEqual(await claim(removed), undefined);
  await markForRemoval(db, user.id, removed);
  assert.equal(await claim(removed), undefined);

  assert.equal(await claim(randomUUID()), undefined);
});

test('does not start runs that are done, failed, skipped or blocked', async () => {
  for (const state of ['DONE', 'FAILED', 'SKIPPED', 'BLOCKED'] as const) {
    const itemId = await buildItemId();
    await changeRuns(itemId, { state });
    assert.equal(await claim(itemId), undefined, state);
  }
});

test('records the version of the component that runs', async () => {
  const itemId = await buildItemId();
  await changeRuns(itemId, { version: 0 });
  await claim(itemId);
  assert.equal((await getRun(itemId, 'METADATA')).version, getComponentVersion('METADATA'));
});

test('renews a lease for its holder only', async () => {
  const itemId = await buildItemId();
  const first = await claim(itemId, 1_000);
  assert(first !== undefined);
  assert.equal(await renewLease(db, first, 3_600_000), true);
  assert((await getRun(itemId, 'METADATA')).lease_until!.getTime() > Date.now() + 3_000_000);

  await changeRuns(itemId, { lease_until: longAgo });
  const second = await claim(itemId);
  assert.equal(await renewLease(db, first, 60_000), false);
  assert.equal(await renewLease(db, second!, 60_000), true);
});

test('does not renew the lease for an item that is being deleted, so that long runs end', async () => {
  const itemId = await buildItemId();
  const held = await claim(itemId);
  await setTrashed(db, user.id, [itemId], true);
  assert.equal(await renewLease(db, held!, 60_000), true);
  await markForRemoval(db, user.id, itemId);
  assert.equal(await renewLease(db, held!, 60_000), false);
});

test('records progress for the holder only, and clears it when the run restarts or ends', async () => {
  const itemId = await buildItemId();
  const first = await claim(itemId);
  await recordProgress(db, first!, 40);
  assert.equal((await getRun(itemId, 'METADATA')).progress, 40);
  await changeRuns(itemId, { lease_until: longAgo });
  const second = await claim(itemId);
  assert.equal((await getRun(itemId, 'METADATA')).progress, null);
  await recordProgress(db, first!, 50);
  assert.equal((await getRun(itemId, 'METADATA')).progress, null);
  await recordProgress(db, second!, 60);
  await recordOutcome(db, second!, { state: 'DONE', warnings: [] });
  assert.equal((await getRun(itemId, 'METADATA')).progress, null);
});
