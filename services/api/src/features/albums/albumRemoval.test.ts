import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { closeAlbum, listClosedAlbums, removeClosedAlbum } from './albumRemoval.ts';
import { getAlbum, insertAlbum, listAlbumsOfItem } from './queries.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import { addToCollection } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);
const itemIds = (await Promise.all(Array.from({ length: 23 }, () => buildMediaItem(db, userId)))).map(({ id }) => id);

const buildAlbum = async (): Promise<string> => {
  const id = await insertAlbum(db, userId, { name: 'Sea', description: null, isShared: true, isHidden: false });
  await addToCollection(db, userId, id, itemIds);
  await rollUpCounts(db, 1_000);
  return id;
};
const countRows = async (table: 'collection_items' | 'collections'): Promise<number> =>
  (await db.selectFrom(table).selectAll().execute()).length;
const remove = (id: string) => removeClosedAlbum((work) => transaction(db, work), id, 10);

test('hides a deleted album at once, then deletes its entries in batches', async () => {
  const id = await buildAlbum();
  await closeAlbum(db, userId, id);
  await assert.rejects(getAlbum(db, userId, id), /album not found/);
  await assert.rejects(closeAlbum(db, userId, id), /album not found/);
  const albums = await listAlbumsOfItem(db, userId, itemIds[0]!, { limit: 10, start: { number: 1 } });
  assert.deepEqual(albums.entries, []);
  assert.equal(await countRows('collection_items'), 23);

  const statements = await captureStatements(() => remove(id));
  const locks = statements.filter(({ text }) => text.includes('for share'));
  assert.deepEqual(
    locks.map(({ values }) => (values[0] as string[]).length),
    [10, 10, 3],
  );
  for (const table of ['collection_items', 'collections'] as const) assert.equal(await countRows(table), 0);
  assert.deepEqual(await db.selectFrom('counts').select('n').where('list_id', '=', id).execute(), []);
  assert.equal((await db.selectFrom('media_items').selectAll().execute()).length, 23);
});

test('completes an interrupted removal, and keeps the counts correct meanwhile', async () => {
  const id = await buildAlbum();
  await closeAlbum(db, userId, id);
  for (let transactions = 1; transactions <= 3; transactions++) {
    let left = transactions;
    const dying = async <Result>(work: (trx: Database) => Promise<Result>): Promise<Result> => {
      if (left-- === 0) throw new Error('killed');
      return transaction(db, work);
    };
    await assert.rejects(removeClosedAlbum(dying, id, 5), /killed/);
    assert.deepEqual(await listClosedAlbums(db, 10), [id]);
    await rollUpCounts(db, 7);
    assert.deepEqual(await findAllCollectionCountErrors(db), []);
  }
  await remove(id);
  assert.deepEqual(await listClosedAlbums(db, 10), []);
});

test('does not remove the entries of an existing album', async () => {
  const id = await buildAlbum();
  await remove(id);
  assert.equal((await getAlbum(db, userId, id)).itemCount, 23);
  assert.deepEqual(await listClosedAlbums(db, 10), []);
});
