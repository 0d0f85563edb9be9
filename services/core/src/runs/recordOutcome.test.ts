import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { textLine } from '@hearth/testkit/pictures/textLine.ts';
import { componentsIn } from '../config/pipeline.ts';
import { claimRun, listRuns, type Claim } from './componentRuns.ts';
import { recordOutcome, type Outcome, type OutcomeWrites } from './runOutcomes.ts';
import { writeItemText } from '../items/itemTexts.ts';
import { findMediaItemForWork } from '../items/mediaItems.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';
import type { ComponentRunRow } from '../db/schema.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const user = await buildUser(db);

const done: Outcome = { state: 'DONE', changes: {}, warnings: [] };
const failed: Outcome = { state: 'FAILED', reason: 'CORRUPT' };
const retry: Outcome = { state: 'RETRY', reason: 'INTERNAL' };

const claim = async (itemId: string): Promise<Claim> => {
  const claimed = await claimRun(db, itemId, 'media', 60_000);
  assert(claimed !== undefined, 'nothing to claim');
  return claimed;
};

const getRun = async ({ mediaItemId, component }: Claim): Promise<ComponentRunRow> =>
  (await listRuns(db, mediaItemId)).find((run) => run.component === component)!;

const changeRuns = async (itemId: string, changes: Partial<ComponentRunRow>): Promise<void> => {
  await db.updateTable('component_runs').set(changes).where('media_item_id', '=', itemId).execute();
};

const getStatus = async (itemId: string): Promise<string | undefined> =>
  (await findMediaItemForWork(db, itemId))?.status;

/** Runs the required components of a new item with these outcomes. Returns the item's id. */
const buildFinished = async (...outcomes: Outcome[]): Promise<string> => {
  const { id } = await buildMediaItem(db, user.id);
  for (const outcome of outcomes) assert.ok(await recordOutcome(db, await claim(id), outcome));
  return id;
};

test('makes an item READY once both required runs are done or skipped', async () => {
  assert.equal(await getStatus(await buildFinished()), 'PROCESSING');
  assert.equal(await getStatus(await buildFinished(done)), 'PROCESSING');
  assert.equal(await getStatus(await buildFinished(done, done)), 'READY');
  assert.equal(await getStatus(await buildFinished(done, { state: 'SKIPPED', reason: 'NOT_APPLICABLE' })), 'READY');
});

test('makes an item FAILED once a required run has failed', async () => {
  assert.equal(await getStatus(await buildFinished(failed)), 'FAILED');
  assert.equal(await getStatus(await buildFinished(failed, done)), 'FAILED');
  assert.equal(await getStatus(await buildFinished(done, failed)), 'FAILED');
});

test('keeps an item PROCESSING while a run is blocked', async () => {
  const blocked: Outcome = { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: 'decode image/heic' };
  assert.equal(await getStatus(await buildFinished(done, blocked)), 'PROCESSING');
});

test('makes a FAILED item READY when the run succeeds later', async () => {
  const id = await buildFinished(done, failed);
  await changeRuns(id, { state: 'PENDING', attempts: 0 });
  await recordOutcome(db, await claim(id), done);
  await recordOutcome(db, await claim(id), done);
  assert.equal(await getStatus(id), 'READY');
});

test('keeps a READY item READY when a repeated run fails', async () => {
  const id = await buildFinished(done, done);
  await changeRuns(id, { state: 'PENDING', attempts: 0 });
  await recordOutcome(db, await claim(id), failed);
  assert.equal(await getStatus(id), 'READY');
});

test('writes changes of the item and warnings together with the outcome', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const claimed = await claim(id);
  const changes = { width_px: 4032, height_px: 3024, local_time: '1999-12-31T23:59:59.5' };
  await recordOutcome(db, claimed, { state: 'DONE', changes, warnings: ['METADATA_UNREADABLE'] });
  const item = await findMediaItemForWork(db, id);
  assert.equal(item?.width_px, 4032);
  assert.equal(item.local_time, '1999-12-31T23:59:59.5');
  const run = await getRun(claimed);
  assert.equal(run.state, 'DONE');
  assert.deepEqual(run.warnings, ['METADATA_UNREADABLE']);
  assert.notEqual(run.finished_at, null);
  assert.deepEqual([run.claim_id, run.lease_until, run.reason], [null, null, null]);
});

test('writes other rows and the outcome together, after their lock and while the item is locked, or not at all', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const isFree = async (query: RawBuilder<{ isFree: boolean }>): Promise<boolean> =>
    (await query.execute(db)).rows[0]?.isFree ?? false;
  const isItemFree = () =>
    isFree(
      sql`select count(*) = 1 as "isFree" from (select from media_items where id = ${id} for update skip locked) as item`,
    );
  const isLockFree = () => isFree(sql`select pg_try_advisory_xact_lock(1, 2) as "isFree"`);
  const seen: boolean[] = [];
  const writes: OutcomeWrites = {
    lock: async (trx) => {
      await sql`select pg_advisory_xact_lock(1, 2)`.execute(trx);
      seen.push(await isItemFree());
    },
    write: async (trx) => {
      seen.push(await isLockFree(), await isItemFree());
      await writeItemText(trx, id, [textLine('a street sign')]);
    },
  };
  const readTexts = async () =>
    (await sql<{ content: string }>`select content from media_item_texts where media_item_id = ${id}`.execute(db)).rows;
  const lost = await claim(id);
  await changeRuns(id, { lease_until: new Date(0) });
  const held = await claim(id);
  assert.equal(await recordOutcome(db, lost, { state: 'DONE', writes, warnings: [] }), undefined);
  assert.deepEqual([seen.splice(0), await readTexts()], [[true], []]);
  assert.ok(await recordOutcome(db, held, { state: 'DONE', writes, warnings: [] }));
  assert.deepEqual(seen, [true, false, false]);
  assert.deepEqual(await readTexts(), [{ content: 'a street sign' }]);
});

test('writes nothing for a lost claim', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const lost = await claim(id);
  await changeRuns(id, { lease_until: new Date(0) });
  const held = await claim(id);
  assert.equal(await recordOutcome(db, lost, { state: 'DONE', changes: { width_px: 1 }, warnings: [] }), undefined);
  assert.equal((await findMediaItemForWork(db, id))?.width_px, null);
  assert.equal((await getRun(held)).state, 'RUNNING');
  assert.ok(await recordOutcome(db, held, done));
  assert.equal(await recordOutcome(db, held, failed), undefined, 'an outcome is recorded once');
  assert.equal((await getRun(held)).state, 'DONE');
});

/** Records an outcome and returns the due runs. */
const dueWith = async (claimed: Claim, outcome: Outcome) => (await recordOutcome(db, claimed, outcome))?.toSorted();

test('returns the due runs of the item in all pools, without active and waiting ones', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const first = await claim(id);
  assert.deepEqual(await dueWith(first, done), ['PLACES', 'PREVIEW_THUMBNAIL']);
  const second = await claim(id);
  await changeRuns(id, { lease_until: new Date(0) });
  assert.deepEqual(await dueWith(second, retry), ['PLACES']);
  await changeRuns(id, { state: 'PENDING', next_attempt_at: new Date(0) });
  const third = await claim(id);
  const afterPreview = componentsIn('ml').map(({ name }) => name);
  assert.deepEqual(await dueWith(third, done), ['PLACES', 'PREVIEW_THUMBNAIL', ...afterPreview].toSorted());
  const fourth = await claim(id);
  await changeRuns(id, { state: 'RUNNING', lease_until: new Date(0) });
  assert.deepEqual(
    await dueWith(fourth, done),
    ['METADATA', 'PLACES', ...afterPreview].toSorted(),
    'includes runs whose lease has expired',
  );
});

test('creates a run of a following component on request, and repeats it only if it is not done', async () => {
  const requesting: Outcome = { state: 'DONE', warnings: [], requestedRuns: ['TRANSCODE'] };
  const { id } = await buildMediaItem(db, user.id);
  const transcodeRun = async () => (await listRuns(db, id)).find(({ component }) => component === 'TRANSCODE');
  const requestAgain = async (): Promise<void> => {
    await db
      .updateTable('component_runs')
      .set({ state: 'PENDING', attempts: 0 })
      .where('media_item_id', '=', id)
      .where('component', '=', 'METADATA')
      .execute();
    await recordOutcome(db, await claim(id), requesting);
  };
  assert.equal(await transcodeRun(), undefined);
  assert.deepEqual(await dueWith(await claim(id), requesting), ['PLACES', 'PREVIEW_THUMBNAIL', 'TRANSCODE']);
  for (const outcome of [failed, { state: 'SKIPPED', reason: 'NOT_APPLICABLE' } as const]) {
    await recordOutcome(db, (await claimRun(db, id, 'transcode', 60_000))!, outcome);
    await requestAgain();
    assert.deepEqual([(await transcodeRun())?.state, (await transcodeRun())?.reason], ['PENDING', null]);
  }
  const claimed = (await claimRun(db, id, 'transcode', 60_000))!;
  await requestAgain();
  assert.equal((await transcodeRun())?.state, 'RUNNING');
  await recordOutcome(db, claimed, done);
  await requestAgain();
  assert.equal((await transcodeRun())?.state, 'DONE');
  await db.updateTable('component_runs').set({ version: 0 }).where('component', '=', 'TRANSCODE').execute();
  await requestAgain();
  assert.equal((await transcodeRun())?.state, 'PENDING');
});

test('writes nothing for an item that is being deleted', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const claimed = await claim(id);
  await setTrashed(db, user.id, [id], true);
  await markForRemoval(db, user.id, id);
  assert.equal(await recordOutcome(db, claimed, done), undefined);
  assert.equal((await getRun(claimed)).state, 'RUNNING');
});

/** Records an outcome and asserts that the run is due again `delayMs` later. */
const recordAndExpectDelay = async (claimed: Claim, outcome: Outcome, delayMs: number): Promise<void> => {
  const before = Date.now() - 1; // PostgreSQL has microseconds, but a Date has milliseconds.
  await recordOutcome(db, claimed, outcome);
  const dueAt = (await getRun(claimed)).next_attempt_at.getTime();
  assert(dueAt >= before + delayMs && dueAt <= Date.now() + delayMs, `due after ${dueAt - before} ms`);
};

test('retries a failed run after 2, 10, 30 and 90 seconds, and fails it after the fifth attempt', async () => {
  const { id } = await buildMediaItem(db, user.id);
  for (const delayMs of [2_000, 10_000, 30_000, 90_000]) {
    const claimed = await claim(id);
    assert.equal(claimed.component, 'METADATA');
    await recordAndExpectDelay(claimed, retry, delayMs);
    const run = await getRun(claimed);
    assert.deepEqual([run.state, run.reason], ['PENDING', 'INTERNAL']);
    await changeRuns(id, { next_attempt_at: new Date(0) });
  }
  const last = await claim(id);
  assert.deepEqual([last.component, last.attempts], ['METADATA', 5]);
  await recordOutcome(db, last, retry);
  assert.equal((await getRun(last)).state, 'FAILED');
  assert.equal(await getStatus(id), 'FAILED');
  assert.equal((await claim(id)).component, 'PREVIEW_THUMBNAIL');
});

test('retries a postponed run in five seconds without counting the attempt', async () => {
  const { id } = await buildMediaItem(db, user.id);
  for (let i = 0; i < 8; i++) {
    const claimed = await claim(id);
    assert.equal(claimed.attempts, 1);
    await recordAndExpectDelay(claimed, { state: 'POSTPONED', reason: 'STORAGE_UNREACHABLE' }, 5_000);
    assert.deepEqual([(await getRun(claimed)).state, (await getRun(claimed)).attempts], ['PENDING', 0]);
    await changeRuns(id, { next_attempt_at: new Date(0) });
  }
  assert.equal(await getStatus(id), 'PROCESSING');
});

test('retries a postponed run after the delay of its outcome', async () => {
  const { id } = await buildMediaItem(db, user.id);
  const claimed = await claim(id);
  await recordAndExpectDelay(claimed, { state: 'POSTPONED', reason: 'NO_SPACE', afterMs: 60_000 }, 60_000);
});

test('makes an item READY when its last two runs are recorded at the same moment', async () => {
  for (let i = 0; i < 10; i++) {
    const { id } = await buildMediaItem(db, user.id);
    const claims = [await claim(id), await claim(id)];
    const recorded = await Promise.all(claims.map((claimed) => recordOutcome(db, claimed, done)));
    assert.ok(recorded.every((each) => each !== undefined));
    assert.equal(await getStatus(id), 'READY');
  }
});
