import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { deleteBatchSize, deleteBatch } from '../database/deleteBatch.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/*
 * [Note: Account removal] Removal marks the account first, then deletes its data in small steps.
 *
 * The mark ends the account's sessions, links and shared albums at once. The steps delete the items with their
 * dependent rows, then the other rows, then the objects, and last the account itself. Rows are deleted in short
 * transactions. If the process is killed, the account stays marked and the next process continues.
 *
 * Rows go before objects, because objects are found by the account's id alone. Without rows, workers get no more work
 * for the account, and the last listing of the object store finds everything that they still write. Counts are not
 * reduced: no one reads them, and deltas of a marked account are not rolled up. This works because an item and its
 * collections belong to the same account and never move to another one.
 */

/** Items or collections deleted per transaction, which takes about 0.1 s. */
const itemBatch = 500;

export const listUsersForRemoval = async (db: Database): Promise<string[]> => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('removing_at', 'is not', null)
    .orderBy('removing_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};

export type InTransaction = <Result>(work: (trx: Database) => Promise<Result>) => Promise<Result>;

/**
 * Deletes all rows of a marked account except the account itself. Yields after each transaction, so that other work can
 * run.
 */
export async function* removeRowsOfAccount(inTransaction: InTransaction, userId: string): AsyncGenerator<void, void> {
  let last: string | undefined;
  do {
    const after = last;
    last = await inTransaction((trx) => deleteItemsOfAccount(trx, userId, after));
    yield;
  } while (last !== undefined);
  for (const table of accountTables) {
    while (await inTransaction((trx) => deleteRowsOfAccount(trx, userId, table))) yield;
  }
  while (await inTransaction((trx) => deleteCollectionsOfAccount(trx, userId))) yield;
}

/**
 * Deletes the next items of a marked account in id order and returns the last id, or undefined if none is left.
 * `after` skips index entries of deleted items, which stay in the index until the next vacuum.
 */
const deleteItemsOfAccount = async (
  trx: Database,
  userId: string,
  after: string | undefined,
): Promise<string | undefined> => {
  if (!(await isMarked(trx, userId))) return undefined;
  const { rows } = await sql<{ id: string }>`
    select id from media_items where user_id = ${userId} and id > ${after ?? firstId}
    order by id limit ${itemBatch} for update`.execute(trx);
  if (rows.length === 0) return undefined;
  await sql`select set_config('hearth.is_removing_account', 'on', true)`.execute(trx);
  const ids = sql`${rows.map(({ id }) => id)}::uuid[]`;
  // One statement per table. Cascading foreign keys would run one per item.
  for (const table of itemTables) {
    await sql`delete from ${sql.table(table)} where media_item_id = any(${ids})`.execute(trx);
  }
  await sql`delete from media_items where id = any(${ids})`.execute(trx);
  return rows.at(-1)?.id;
};

/** Guards against a caller's mistake, which would empty the account of an active user. A mark cannot be undone. */
const isMarked = async (trx: Database, userId: string): Promise<boolean> => {
  const marked = trx.selectFrom('users').select('id').where('id', '=', userId).where('removing_at', 'is not', null);
  return (await marked.executeTakeFirst()) !== undefined;
};

const itemTables = [
  'component_runs',
  'picture_hashes',
  'embedding_signatures',
  'media_item_embeddings',
  'faces',
  'media_item_places',
  'media_item_texts',
  'media_item_words',
  'collection_items',
] as const;

/** Other tables with rows of an account, in order of deletion. */
const accountTables = [
  'count_deltas',
  'counts',
  'user_storage_deltas',
  'map_deltas',
  'map_cells',
  'search_words',
  'answering_models',
  'duplicate_groups',
  'events',
  'uploads',
  'jobs',
] as const;

/** Deletes a batch of rows of a marked account whose items are already deleted. Returns true if more may be left. */
const deleteRowsOfAccount = async (trx: Database, userId: string, table: string): Promise<boolean> =>
  (await isMarked(trx, userId)) && (await deleteBatch(trx, table, sql`user_id = ${userId}`, deleteBatchSize)) > 0;

/** Deletes a batch of albums, places, things and people of a marked account. Returns true if more may be left. */
const deleteCollectionsOfAccount = async (trx: Database, userId: string): Promise<boolean> => {
  if (!(await isMarked(trx, userId))) return false;
  const { numAffectedRows = 0n } = await sql`
    delete from collections where id = any(array(
      select id from collections where user_id = ${userId} order by id limit ${itemBatch} for update))`.execute(trx);
  return numAffectedRows > 0n;
};

/**
 * Deletes a marked account that has no other rows left and records the deletion, see [Note: Orphans]. Does nothing for
 * an account that is not marked or no longer exists. Returns false if an active upload has added rows: then the removal
 * must start over.
 */
export const deleteAccount = async (trx: Database, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ isEmpty: boolean }>`
    with account as (select id from users where id = ${userId} and removing_at is not null for update)
    select not exists (select from media_items where user_id = ${userId})
      and not exists (select from collections where user_id = ${userId})
      and not exists (select from uploads where user_id = ${userId}) as "isEmpty"
    from account`.execute(trx);
  if (rows[0]?.isEmpty === false) return false;
  if (rows.length === 0) return true;
  await sql`insert into removed_users (user_id) values (${userId}) on conflict do nothing`.execute(trx);
  await sql`delete from users where id = ${userId}`.execute(trx);
  return true;
};
