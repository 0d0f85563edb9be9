import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { writePictureFeatures, type TestPictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { deleteRemovedItems } from '@hearth/api/features/trash/removal.ts';
import { writePictureHash } from './pictureHashes.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Builds a user with duplicates, ordered by id. */
const storeSimilar = async (count: number) => {
  const user = await buildUser(db);
  const unsorted = [];
  for (let n = 0; n < count; n += 1) unsorted.push(await buildMediaItem(db, user.id));
  const items = unsorted.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const item of items) await writePictureFeatures(db, item, { bits: 8, angle: 0 });
  return { userId: user.id, items };
};

const listGroups = async (userId: string) => {
  const rows = await db
    .selectFrom('picture_hashes')
    .select(['media_item_id', 'group_id'])
    .where('user_id', '=', userId)
    .orderBy('media_item_id')
    .execute();
  return [...Map.groupBy(rows, (row) => row.group_id).values()].map((group) => group.map((row) => row.media_item_id));
};

const listCounts = (userId: string) =>
  db.selectFrom('duplicate_groups').select(['member_count', 'item_count']).where('user_id', '=', userId).execute();

test('keeps a group when its first photo is deleted, and adds later duplicates to it', async () => {
  const { userId, items } = await storeSimilar(3);
  const ids = items.map(({ id }) => id);
  await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', ids[0]!).execute();
  await deleteRemovedItems(db, [ids[0]!]);
  assert.deepEqual(await listGroups(userId), [ids.slice(1)]);
  assert.deepEqual(await listCounts(userId), [{ member_count: 2, item_count: 2 }]);
  const next = { ...(await buildMediaItem(db, userId)) };
  await writePictureFeatures(db, next, { bits: 15, angle: 0 });
  assert.deepEqual(await listGroups(userId), [[...ids.slice(1), next.id].toSorted()]);
  for (const id of [ids[1]!, ids[2]!]) {
    await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', id).execute();
    await deleteRemovedItems(db, [id]);
  }
  assert.deepEqual(
    [await listGroups(userId), await listCounts(userId)],
    [[[next.id]], []],
    'a single photo is not a group',
  );
});

test('moves a reprocessed photo between groups only if it looks different now', async () => {
  const { userId, items } = await storeSimilar(3);
  const ids = items.map(({ id }) => id);
  const writeFeatures = (index: number, change: Partial<TestPictureFeatures> = {}) =>
    writePictureFeatures(db, items[index]!, { bits: 8, angle: 0, ...change });
  await writeFeatures(1, { sharpness: 0.9 });
  assert.deepEqual(await listGroups(userId), [ids]);
  await writeFeatures(0, { bits: 40 });
  assert.deepEqual(await listGroups(userId), [[ids[0]], ids.slice(1)]);
  await writeFeatures(0);
  assert.deepEqual(await listGroups(userId), [ids]);
  await db.transaction().execute((trx) => writePictureHash(trx, items[2]!, undefined));
  assert.deepEqual(await listGroups(userId), [ids.slice(0, 2)]);
});

test('groups a photo embedded by another model once the others are embedded by that model, too', async () => {
  const { userId, items } = await storeSimilar(2);
  const later = await buildMediaItem(db, userId);
  await writePictureFeatures(db, later, { bits: 8, angle: 0, model: 'clip-vit-b-32' });
  assert.equal((await listGroups(userId)).length, 2);
  for (const item of items) await writePictureFeatures(db, item, { bits: 8, angle: 0, model: 'clip-vit-b-32' });
  assert.deepEqual(await listGroups(userId), [[...items.map(({ id }) => id), later.id].toSorted()]);
});
