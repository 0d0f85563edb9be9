import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { jobComponentNames } from '@hearth/contract/vocabulary.ts';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { findMediaItemForWork, getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { insertMediaItem } from '../../ingest/insertMediaItem.ts';
import { markForRemoval } from '../trash/queries.ts';
import { updateMediaItem } from './queries.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const user = await buildUser(db);
const stranger = await buildUser(db);

const isMissing = { name: 'NotFoundError', message: 'media item not found' };

test('inserts an item with pending runs of all components', async () => {
  const item = newMediaItem(user.id, { local_time: '1969-07-20T20:17:40.123456', description: 'the moon' });
  assert.deepEqual(await insertMediaItem(db, item), { id: item.id, isNew: true });
  const row = await getMediaItem(db, user.id, item.id);
  assert.equal(row.local_time, '1969-07-20T20:17:40.123456');
  assert.deepEqual([row.status, row.category, row.visibility], ['PROCESSING', 'DEFAULT', 'visible']);
  const runs = await listRuns(db, item.id);
  assert.deepEqual(
    runs.map(({ component, state }) => `${component} ${state}`).toSorted(),
    jobComponentNames.map((name) => `${name} PENDING`).toSorted(),
  );
});

test('creates one item from twenty simultaneous uploads of the same bytes and returns its id to all', async () => {
  const checksum = randomBytes(32);
  const inserted = await Promise.all(
    Array.from({ length: 20 }, () => insertMediaItem(db, newMediaItem(user.id, { checksum }))),
  );
  assert.equal(inserted.filter(({ isNew }) => isNew).length, 1);
  assert.equal(new Set(inserted.map(({ id }) => id)).size, 1);
  assert.equal((await listRuns(db, inserted[0]!.id)).length, jobComponentNames.length);
});

test('restores a duplicate from the trash, with its changes', async () => {
  const duplicate = await buildMediaItem(db, user.id, { is_favourite: true, description: 'kept' });
  await setTrashed(db, user.id, [duplicate.id], true);
  const again = newMediaItem(user.id, { checksum: duplicate.checksum });
  assert.deepEqual(await insertMediaItem(db, again), { id: duplicate.id, isNew: false });
  const row = await getMediaItem(db, user.id, duplicate.id);
  assert.deepEqual([row.visibility, row.is_favourite, row.description], ['visible', true, 'kept']);
});

test('creates a new item if the duplicate is being deleted', async () => {
  const duplicate = await buildMediaItem(db, user.id);
  await setTrashed(db, user.id, [duplicate.id], true);
  await markForRemoval(db, user.id, duplicate.id);
  const again = newMediaItem(user.id, { checksum: duplicate.checksum });
  assert.deepEqual(await insertMediaItem(db, again), { id: again.id, isNew: true });
});

test("creates an item for the same bytes in another user's library", async () => {
  const item = await buildMediaItem(db, user.id);
  const theirs = newMediaItem(stranger.id, { checksum: item.checksum });
  assert.deepEqual(await insertMediaItem(db, theirs), { id: theirs.id, isNew: true });
});

test('waits for an active deletion, then creates a new item', async () => {
  const duplicate = await buildMediaItem(db, user.id);
  await setTrashed(db, user.id, [duplicate.id], true);
  const again = newMediaItem(user.id, { checksum: duplicate.checksum });
  const inserted = await db.transaction().execute(async (trx) => {
    await markForRemoval(trx, user.id, duplicate.id);
    const promise = insertMediaItem(db, again);
    await waitUntilBlocked(db, 'media_items');
    return { promise };
  });
  assert.deepEqual(await inserted.promise, { id: again.id, isNew: true });
});

test('changes only the given fields of an item', async () => {
  const { id } = await buildMediaItem(db, user.id, { description: 'before' });
  await updateMediaItem(db, user.id, id, { favourite: true });
  await updateMediaItem(db, user.id, id, { hidden: true });
  let row = await getMediaItem(db, user.id, id);
  assert.deepEqual([row.description, row.is_favourite, row.visibility], ['before', true, 'hidden']);
  await updateMediaItem(db, user.id, id, { description: null, favourite: false });
  row = await getMediaItem(db, user.id, id);
  assert.deepEqual([row.description, row.is_favourite, row.visibility], [null, false, 'hidden']);
});

test('moves all items to the trash, or none', async () => {
  const items = [await buildMediaItem(db, user.id), await buildMediaItem(db, user.id)];
  const ids = items.map(({ id }) => id);
  for (const foreign of [randomUUID(), (await buildMediaItem(db, stranger.id)).id]) {
    await assert.rejects(setTrashed(db, user.id, [...ids, foreign], true), isMissing);
    for (const id of ids) assert.equal((await getMediaItem(db, user.id, id)).visibility, 'visible');
  }
  await setTrashed(db, user.id, ids, true);
  for (const id of ids) assert.equal((await getMediaItem(db, user.id, id)).visibility, 'trash');
  await setTrashed(db, user.id, ids, false);
  for (const id of ids) assert.equal((await getMediaItem(db, user.id, id)).visibility, 'visible');
});

test('keeps the date of the first move to the trash, and accepts an id twice', async () => {
  const { id } = await buildMediaItem(db, user.id);
  await setTrashed(db, user.id, [id, id], true);
  const { deleted_at: first } = await getMediaItem(db, user.id, id);
  await setTrashed(db, user.id, [id], true);
  assert.deepEqual((await getMediaItem(db, user.id, id)).deleted_at, first);
});

test('accepts an empty list', async () => {
  await setTrashed(db, user.id, [], true);
});

test('does not deadlock when calls trash and restore the same items in opposite orders', async () => {
  const ids = await buildItemIds(40);
  await Promise.all(
    Array.from({ length: 30 }, (_, call) =>
      setTrashed(db, user.id, call % 2 === 0 ? ids : ids.toReversed(), call % 3 === 0),
    ),
  );
  const rows = await Promise.all(ids.map((id) => getMediaItem(db, user.id, id)));
  assert.equal(new Set(rows.map(({ visibility }) => visibility)).size, 1);
});

test('locks items in the order of their ids, whatever the order of the list and of the rows', async () => {
  const ids = await buildItemIds(10);
  const [first, ...others] = ids.toSorted();
  const trashing = await transaction(db, async (trx) => {
    await updateMediaItem(trx, user.id, first!, { favourite: true });
    const promise = setTrashed(db, user.id, ids, true);
    await waitUntilBlocked(db, 'media_items');
    const { rows } = await sql<{ id: string }>`
      select id from media_items where id = any(${ids}) order by id for update skip locked`.execute(db);
    assert.deepEqual(
      rows.map(({ id }) => id),
      others,
    );
    return { promise };
  });
  await trashing.promise;
});

const buildItemIds = (n: number): Promise<string[]> =>
  Promise.all(Array.from({ length: n }, async () => (await buildMediaItem(db, user.id)).id));

test('deletes only items in the trash, and hides them from then on', async () => {
  const { id } = await buildMediaItem(db, user.id);
  assert.equal(await markForRemoval(db, user.id, id), false);
  await setTrashed(db, user.id, [id], true);
  assert.equal(await markForRemoval(db, user.id, id), true);
  await assert.rejects(markForRemoval(db, user.id, id), isMissing);
  await assert.rejects(getMediaItem(db, user.id, id), isMissing);
  await assert.rejects(updateMediaItem(db, user.id, id, { hidden: true }), isMissing);
  await assert.rejects(setTrashed(db, user.id, [id], false), isMissing);
  assert.equal(await findMediaItemForWork(db, id), undefined);
});

test("does not find or change another user's item", async () => {
  const item = await buildMediaItem(db, user.id);
  const calls = {
    getMediaItem: () => getMediaItem(db, stranger.id, item.id),
    updateMediaItem: () => updateMediaItem(db, stranger.id, item.id, { description: 'mine', hidden: true }),
    setTrashed: () => setTrashed(db, stranger.id, [item.id], true),
    markForRemoval: () => markForRemoval(db, stranger.id, item.id),
  };
  for (const [name, call] of Object.entries(calls)) await assert.rejects(call(), isMissing, name);
  assert.deepEqual(await getMediaItem(db, user.id, item.id), item);

  await setTrashed(db, user.id, [item.id], true);
  const trashed = await getMediaItem(db, user.id, item.id);
  await assert.rejects(setTrashed(db, stranger.id, [item.id], false), isMissing);
  await assert.rejects(markForRemoval(db, stranger.id, item.id), isMissing);
  assert.deepEqual(await getMediaItem(db, user.id, item.id), trashed);
});
