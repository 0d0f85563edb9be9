import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { componentsIn } from '@hearth/core/config/pipeline.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { unblockRuns } from '@hearth/core/runs/blockedRuns.ts';
import { claimRun, listRuns } from '@hearth/core/runs/componentRuns.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';
import { findMediaItemForWork } from '@hearth/core/items/mediaItems.ts';
import { markForRemoval } from '../../features/trash/queries.ts';
import { failCrashedRuns, hasCrashedRuns, listDueItems, probeBlockedRuns } from './dueRuns.ts';
import { setTrashed } from '../../lists/trashed.ts';
import type { ComponentRunRow } from '@hearth/core/db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const user = await buildUser(db);
/** Components for which every item has a run. */
const firstComponents = [...componentsIn('media'), ...componentsIn('ml')];
beforeEach(() => db.deleteFrom('media_items').execute());

const buildItemId = async (): Promise<string> => (await buildMediaItem(db, user.id)).id;

const changeRuns = async (itemId: string, changes: Partial<ComponentRunRow>): Promise<void> => {
  await db.updateTable('component_runs').set(changes).where('media_item_id', '=', itemId).execute();
};

const listDueIds = async (limit: number): Promise<string[]> =>
  (await listDueItems(db, 'media', limit)).map(({ id }) => id);

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

/** Creates an item with all of its runs blocked. */
const buildBlocked = async (blockedOn: string): Promise<string> => {
  const id = await buildItemId();
  for (const { pools } of firstComponents) {
    const claim = await claimRun(db, id, pools.PHOTO!.name, 60_000);
    await recordOutcome(db, claim!, { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn });
  }
  return id;
};

const listStates = async (itemId: string): Promise<string[]> => (await listRuns(db, itemId)).map(({ state }) => state);

test('lists items with a due run once, the longest due first', async () => {
  const [late, later, latest] = [await buildItemId(), await buildItemId(), await buildItemId()];
  await changeRuns(late, { next_attempt_at: secondsAgo(10) });
  await changeRuns(later, { state: 'RUNNING', attempts: 1, lease_until: secondsAgo(20) });
  await changeRuns(latest, { next_attempt_at: secondsAgo(30) });
  assert.deepEqual(await listDueIds(10), [latest, later, late]);
  assert.deepEqual(await listDueIds(1), [latest]);
});

test('does not list items with only active, finished, blocked or future runs, or that are being deleted', async () => {
  await changeRuns(await buildItemId(), { next_attempt_at: secondsAgo(-60) });
  await changeRuns(await buildItemId(), { state: 'RUNNING', attempts: 1, lease_until: secondsAgo(-60) });
  await changeRuns(await buildItemId(), { state: 'RUNNING', attempts: 5, lease_until: secondsAgo(60) });
  for (const state of ['DONE', 'FAILED', 'SKIPPED', 'BLOCKED'] as const)
    await changeRuns(await buildItemId(), { state });
  const removed = await buildItemId();
  await setTrashed(db, user.id, [removed], true);
  await markForRemoval(db, user.id, removed);
  assert.deepEqual(await listDueIds(10), []);
});

test('fails a run as CRASHED, and its item, if its worker vanished in the fifth attempt', async () => {
  const [crashed, alive, fourth] = [await buildItemId(), await buildItemId(), await buildItemId()];
  await changeRuns(crashed, { state: 'RUNNING', attempts: 5, lease_until: secondsAgo(1) });
  await changeRuns(alive, { state: 'RUNNING', attempts: 5, lease_until: secondsAgo(-60) });
  await changeRuns(fourth, { state: 'RUNNING', attempts: 4, lease_until: secondsAgo(1) });
  assert.equal(await hasCrashedRuns(db), true);
  assert.equal(await failCrashedRuns(db), firstComponents.length);
  const runs = await listRuns(db, crashed);
  assert(runs.every(({ state, reason, claim_id }) => state === 'FAILED' && reason === 'CRASHED' && claim_id === null));
  assert.equal((await findMediaItemForWork(db, crashed))?.status, 'FAILED');
  for (const id of [alive, fourth]) assert((await listStates(id)).every((state) => state === 'RUNNING'));
  assert.equal(await hasCrashedRuns(db), false);
  assert.equal(await failCrashedRuns(db), 0);
});

test('does not deadlock when a worker returns while its run is failed as crashed', async () => {
  for (let i = 0; i < 20; i++) {
    const ids = [await buildItemId(), await buildItemId()];
    const claims = await Promise.all(ids.map((id) => claimRun(db, id, 'media', 60_000)));
    for (const id of ids) {
      await db
        .updateTable('component_runs')
        .set({ attempts: 5, lease_until: secondsAgo(1) })
        .where('media_item_id', '=', id)
        .where('state', '=', 'RUNNING')
        .execute();
    }
    const [failed, ...recorded] = await Promise.all([
      failCrashedRuns(db),
      ...claims.map((claim) => recordOutcome(db, claim!, { state: 'DONE', changes: {}, warnings: [] })),
    ]);
    assert.equal(failed + recorded.filter(Boolean).length, 2);
  }
});

test('restarts runs blocked on a capability when a worker has it', async () => {
  const heic = await buildBlocked('decode image/heic');
  const raw = await buildBlocked('decode image/x-raw');
  assert.equal(await unblockRuns(db, ['decode image/jpeg', 'decode image/heic']), firstComponents.length);
  for (const run of await listRuns(db, heic)) {
    assert.deepEqual([run.state, run.attempts, run.blocked_on, run.reason], ['PENDING', 0, null, null]);
  }
  assert((await listStates(raw)).every((state) => state === 'BLOCKED'));
  assert.deepEqual(await listDueIds(10), [heic]);
  assert.equal(await unblockRuns(db, ['decode image/heic']), 0);
});

test('accepts an empty list of capabilities, and duplicates', async () => {
  assert.equal(await unblockRuns(db, []), 0);
  assert.equal(await unblockRuns(db, ['decode video', 'decode video']), 0);
});

test('accepts many workers at once, whatever the order of their capabilities', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `decode format-${index}`);
  for (const name of names) await buildBlocked(name);
  const released = await Promise.all(
    Array.from({ length: 16 }, (_, worker) => unblockRuns(db, worker % 2 === 0 ? names : names.toReversed())),
  );
  assert.equal(
    released.reduce((sum, n) => sum + n),
    12 * firstComponents.length,
  );
});

test('probes one blocked run per component and cause', async () => {
  for (let i = 0; i < 3; i++) await buildBlocked('decode image/heic');
  await buildBlocked('decode image/x-raw');
  assert.equal(await probeBlockedRuns(db), 2 * firstComponents.length);
  const probed = await db
    .selectFrom('component_runs')
    .select(['component', 'blocked_on'])
    .where('state', '=', 'PENDING')
    .orderBy('blocked_on')
    .orderBy('component')
    .execute();
  assert.deepEqual(
    probed.map((run) => `${run.component} ${run.blocked_on}`),
    ['decode image/heic', 'decode image/x-raw'].flatMap((cause) =>
      firstComponents.map(({ name }) => `${name} ${cause}`).toSorted(),
    ),
  );
});

test('clears the cause when a probe succeeds', async () => {
  const id = await buildBlocked('decode image/heic');
  await probeBlockedRuns(db);
  const claim = await claimRun(db, id, 'media', 60_000);
  assert.equal(claim?.attempts, 1);
  await recordOutcome(db, claim, { state: 'DONE', changes: {}, warnings: [] });
  const run = (await listRuns(db, id)).find(({ component }) => component === claim.component);
  assert.deepEqual([run?.state, run?.blocked_on, run?.reason], ['DONE', null, null]);
});
