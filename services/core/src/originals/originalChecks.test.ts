import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { getOriginalState, listFaultyOriginals } from '@hearth/api/features/originals/queries.ts';
import { claimRun, listRuns } from '../runs/componentRuns.ts';
import { recordOutcome } from '../runs/runOutcomes.ts';
import { findOriginalCheck, recordOriginalCheck } from './originalChecks.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const user = await buildUser(db);

test('returns the last check of an item, and OK without one', async () => {
  const [item, other] = [await buildMediaItem(db, user.id), await buildMediaItem(db, user.id)];
  const ids = [item.id, other.id];
  assert.deepEqual([await getOriginalState(db, item.id), await listFaultyOriginals(db, user.id, ids)], ['OK', []]);
  await recordOriginalCheck(db, item.id, { state: 'MISSING', modifiedAt: undefined });
  assert.deepEqual(await listFaultyOriginals(db, user.id, ids), [item.id]);
  const modifiedAt = new Date('2026-11-27T12:00:00.123Z');
  await recordOriginalCheck(db, item.id, { state: 'DAMAGED', modifiedAt });
  assert.equal(await getOriginalState(db, item.id), 'DAMAGED');
  await recordOriginalCheck(db, item.id, { state: 'OK', modifiedAt });
  assert.deepEqual(await listFaultyOriginals(db, user.id, ids), []);
  const recorded = await findOriginalCheck(db, item.id);
  assert.deepEqual([recorded?.state, recorded?.modifiedAt], ['OK', modifiedAt]);
});

test('does not record a check of a deleted item', async () => {
  const item = await buildMediaItem(db, user.id);
  await db.deleteFrom('media_items').where('id', '=', item.id).execute();
  assert.equal(await recordOriginalCheck(db, item.id, { state: 'MISSING', modifiedAt: undefined }), false);
  assert.equal(await findOriginalCheck(db, item.id), undefined);
});

test('makes all started runs due again after a repair, and discards the result of an active run', async () => {
  const item = await buildMediaItem(db, user.id);
  const first = await claimRun(db, item.id, 'media', 60_000);
  await recordOutcome(db, first!, { state: 'FAILED', reason: 'ORIGINAL_DAMAGED' });
  const active = await claimRun(db, item.id, 'media', 60_000);
  const modifiedAt = new Date();
  assert.equal(await recordOriginalCheck(db, item.id, { state: 'OK', modifiedAt }), false, 'it was OK before');
  await recordOriginalCheck(db, item.id, { state: 'DAMAGED', modifiedAt });
  assert.equal(await recordOriginalCheck(db, item.id, { state: 'OK', modifiedAt }), true);
  const runs = await listRuns(db, item.id);
  assert.ok(runs.every(({ state, attempts }) => state === 'PENDING' && attempts === 0));
  assert.equal(await recordOutcome(db, active!, { state: 'DONE', warnings: [] }), undefined, 'it read wrong bytes');
});
