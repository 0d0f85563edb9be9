import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { dumpRowsWith } from '@hearth/testkit/database/dumpRows.ts';
import { expectCountsRight } from '@hearth/testkit/rows/expectCountsRight.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { fillDatabase, rollUpAll } from '@hearth/testkit/libraries/fillDatabase.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { removeAccount } from '@hearth/testkit/rows/removeAccount.ts';
import { deleteAccount, removeRowsOfAccount, type InTransaction } from './accountRemoval.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { insertUpload } from '../features/uploads/queries.ts';
import { markUserForRemoval } from './users.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);

const inTransaction: InTransaction = async (work) => transaction(db, work);
let staying: string;

/**
 * Creates an account with rows in every table, including pending count deltas and an active upload. `scans` are items
 * of one hour.
 */
const fillAccount = async (items: number, scans: number): Promise<string> => {
  const { id: userId } = await buildUser(db);
  await fillDatabase(url, [{ userId, items, scans }]);
  const item = await buildMediaItem(db, userId);
  await writeItemEmbedding(db, item, 'concept-lite', new Float32Array(512).fill(512 ** -0.5));
  await insertUpload(db, { id: randomUUID(), user_id: userId, metadata: '', length_bytes: 1, part_bytes: 1 });
  return userId;
};

/** Row counts of each table with data of accounts, except the record of removed accounts. */
const countRows = async (): Promise<Map<string, number>> => {
  const tables = await queryOnce<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'removed_users'`,
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"`);
  const rows = await queryOnce<{ name: string; n: number }>(url, counts.join(' union all '));
  return new Map(rows.map(({ name, n }) => [name, n]));
};

before(async () => {
  staying = (await buildUser(db)).id;
  await fillDatabase(url, [{ userId: staying, items: 300 }]);
});

test('deletes all rows of a removed account and none of other accounts', async () => {
  const [kept, before] = [await dumpRowsWith(db, [staying]), await countRows()];
  const userId = await fillAccount(600, 4_700);
  const filled = await countRows();
  const tables =
    'media_items collections counts faces search_words search_postings map_cells uploads embedding_signatures answering_models';
  for (const table of tables.split(' ')) assert.ok(filled.get(table)! > before.get(table)!, table);
  await markUserForRemoval(db, userId);
  await removeAccount(db, userId);
  assert.deepEqual(await countRows(), before);
  assert.deepEqual(await dumpRowsWith(db, [staying]), kept);
  await expectCountsRight(db);
});

test('resumes a removal that stopped after any step, and roll-ups in between restore nothing', async () => {
  const before = await countRows();
  const userId = await fillAccount(1_200, 0);
  await markUserForRemoval(db, userId);
  let restarts = 0;
  for (let isOver = false; !isOver; restarts++) {
    const removal = removeRowsOfAccount(inTransaction, userId);
    for (let steps = 0; steps < 2 && !isOver; steps++) isOver = (await removal.next()).done === true;
    await rollUpAll(db);
  }
  assert.ok(restarts > 5, `${restarts} restarts`);
  assert.equal(await transaction(db, (trx) => deleteAccount(trx, userId)), true);
  assert.deepEqual(await countRows(), before);
});

test('does not change an account that is not marked for removal', async () => {
  const before = await dumpRowsWith(db, [staying]);
  await removeAccount(db, staying);
  assert.deepEqual(await dumpRowsWith(db, [staying]), before);
});

test('keeps the account if an upload inserted rows during its removal', async () => {
  const { id: userId } = await buildUser(db);
  await markUserForRemoval(db, userId);
  await Array.fromAsync(removeRowsOfAccount(inTransaction, userId));
  const { id } = await db
    .insertInto('media_items')
    .values(newMediaItem(userId))
    .returning('id')
    .executeTakeFirstOrThrow();
  assert.equal(await transaction(db, (trx) => deleteAccount(trx, userId)), false);
  assert.equal((await db.selectFrom('media_items').select('id').where('id', '=', id).execute()).length, 1);
  await removeAccount(db, userId);
  assert.deepEqual(await db.selectFrom('users').select('id').where('id', '=', userId).execute(), []);
});

test('has an index for every foreign key to an account, item or collection, so that no delete scans a table', async () => {
  const { rows } = await sql<{ name: string }>`
    select conrelid::regclass || ' ' || attname as name
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confdeltype in ('c', 'n') and not exists (
      select from pg_index
      where indrelid = conrelid and indkey[0] = conkey[1]
        -- For a nullable column, an index of the non-null values is enough.
        and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)'))`.execute(db);
  assert.deepEqual(rows, []);
});
