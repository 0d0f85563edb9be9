import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { searchByText } from '@hearth/api/features/search/queries.ts';
import { listExploredOfItem } from '@hearth/api/features/explore/queries.ts';
import { writeItemThings, type DetectedThing } from './queries.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const all = { limit: 200, start: { number: 1 } };

/** Locks the item, as the code that records an outcome does. */
const write = async (item: MediaItemRow, things: readonly (string | DetectedThing)[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.selectFrom('media_items').select('id').where('id', '=', item.id).forUpdate().execute();
    await writeItemThings(
      trx,
      item,
      things.map((thing) => (typeof thing === 'string' ? { name: thing } : thing)),
    );
  });

const listNames = async ({ user_id, id }: MediaItemRow): Promise<string[]> =>
  (await listExploredOfItem(db, 'thing', user_id, id, all)).entries.map(({ row }) => row.name);

test('replaces the things of an item', async () => {
  const item = await buildMediaItem(db, (await buildUser(db)).id);
  await write(item, ['Dog', 'beach', 'Dog']);
  assert.deepEqual(await listNames(item), ['beach', 'Dog']);
  await write(item, ['Dog', 'Ball']);
  assert.deepEqual(await listNames(item), ['Ball', 'Dog']);
  await write(item, []);
  assert.deepEqual(await listNames(item), []);
});

test('shares a thing between the items of a user, but not between users', async () => {
  const [one, other] = [(await buildUser(db)).id, (await buildUser(db)).id];
  const items = [await buildMediaItem(db, one), await buildMediaItem(db, one), await buildMediaItem(db, other)];
  for (const item of items) await write(item, ['Dog']);
  const ids = await Promise.all(
    items.map(async ({ user_id, id }) => (await listExploredOfItem(db, 'thing', user_id, id, all)).entries[0]?.row.id),
  );
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
  assert.deepEqual((await listExploredOfItem(db, 'thing', other, items[0]!.id, all)).entries, []);
});

test('creates each thing once when many items get it at the same time, and leaves no orphaned collection', async () => {
  const { id: userId } = await buildUser(db);
  const items = await Promise.all(Array.from({ length: 16 }, () => buildMediaItem(db, userId)));
  const names = ['Dog', 'Ball', 'Beach'];
  await Promise.all(items.map((item, index) => write(item, index % 2 === 0 ? names : names.toReversed())));
  for (const item of items) assert.deepEqual(await listNames(item), ['Ball', 'Beach', 'Dog']);
  const collections = await db.selectFrom('collections').select('id').where('user_id', '=', userId).execute();
  assert.equal(collections.length, 3);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('stores the confidence of a thing, and finds the item by synonyms that are added later, too', async () => {
  const user = await buildUser(db);
  const item = await buildMediaItem(db, user.id);
  const listConfidences = async (): Promise<(number | null)[]> =>
    (await db.selectFrom('collection_items').select('confidence').where('media_item_id', '=', item.id).execute()).map(
      ({ confidence }) => confidence,
    );
  const isFoundBySearch = async (query: string): Promise<boolean> => {
    const found = await searchByText(db, { userId: user.id, features: {} }, query, all);
    return found.entries.some(({ id }) => id === item.id);
  };
  await write(item, [{ name: 'Dog', synonyms: ['puppy'], confidence: 0.5 }]);
  assert.deepEqual(await listConfidences(), [0.5]);
  assert.deepEqual(await Promise.all(['dog', 'puppy', 'hound'].map(isFoundBySearch)), [true, true, false]);
  await write(item, [{ name: 'Dog', synonyms: ['hound'], confidence: 0.75 }]);
  assert.deepEqual(await listConfidences(), [0.75]);
  assert.deepEqual(await Promise.all(['dog', 'puppy', 'hound'].map(isFoundBySearch)), [true, false, true]);
  assert.deepEqual(await listNames(item), ['Dog']);
});
