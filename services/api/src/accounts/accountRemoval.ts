import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { deletedAtOnce, deleteSome } from '../database/deleteSome.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/*
 * [Note: Account removal] An account is marked, which ends its sessions, links and shared albums at once, and is then removed in steps, each of them
 * a short transaction of its own: the items with all that hangs on them, what was kept of the library as a whole, its objects, and last the account.
 * A process that is killed anywhere leaves a marked account with fewer rows, with which the next one goes on.
 *
 * Rows go before objects, since objects are found by the id of the account alone: workers find nothing more to do then, and what one of them still
 * writes is found by the last look at the store. Counts are not reduced: nobody reads them, and no delta of a marked account is rolled up. This holds
 * because an item and the collections that it is in belong to the same account, and neither ever changes its account.
 */

/** Items removed by one transaction: about 0.1 s. */
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

/** Removes all rows of a marked account but its own, one transaction after another; yields after each, so that others get their turn. */
export async function* removeRowsOfAccount(inTransaction: InTransaction, userId: string): AsyncGenerator<void, void> {
  let last: string | undefined;
  do {
    const after = last;
    last = await inTransaction((trx) => deleteItemsOfAccount(trx, userId, after));
    yield;
  } while (last !== undefined);
  for (const table of tablesOfAccount) {
    while (await inTransaction((trx) => deleteRowsOfAccount(trx, userId, table))) yield;
  }
  while (await inTransaction((trx) => deleteCollectionsOfAccount(trx, userId))) yield;
}

/**
 * Removes some items of a marked account, in the order of their ids, from behind `after`, and answers the last one's id; undefined where there is
 * none. A batch begins where the one before ended: what that one has deleted stays in the index until the next vacuum, and would be read again.
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
  // Each table once, instead of once for each item as foreign keys would do it.
  for (const table of tablesOfItems) {
    await sql`delete from ${sql.table(table)} where media_item_id = any(${ids})`.execute(trx);
  }
  await sql`delete from media_items where id = any(${ids})`.execute(trx);
  return rows.at(-1)?.id;
};

/**
 * Whether the account is being removed, which cannot be undone. Without this check a mistake in a caller would empty the account of somebody who
 * stays.
 */
const isMarked = async (trx: Database, userId: string): Promise<boolean> => {
  const marked = trx.selectFrom('users').select('id').where('id', '=', userId).where('removing_at', 'is not', null);
  return (await marked.executeTakeFirst()) !== undefined;
};

const tablesOfItems = [
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

/** What else is kept of an account, in the order in which it goes. */
const tablesOfAccount = [
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

/** Removes some rows of a marked account without items, of one table, and answers whether there may be more of it. */
const deleteRowsOfAccount = async (trx: Database, userId: string, table: string): Promise<boolean> =>
  (await isMarked(trx, userId)) && (await deleteSome(trx, table, sql`user_id = ${userId}`, deletedAtOnce)) > 0;

/** Removes some albums, places, things and people of a marked account, and answers whether there may be more. */
const deleteCollectionsOfAccount = async (trx: Database, userId: string): Promise<boolean> => {
  if (!(await isMarked(trx, userId))) return false;
  const { numAffectedRows = 0n } = await sql`
    delete from collections where id = any(array(
      select id from collections where user_id = ${userId} order by id limit ${itemBatch} for update))`.execute(trx);
  return numAffectedRows > 0n;
};

/**
 * Removes a marked account of which nothing is left but its own row, and notes that it was removed on purpose, see [Note: Orphans]. False where
 * something has come meanwhile, of an upload that was under way: then it all has to be gone through again. An account that is not marked, or is
 * gone, is left alone.
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
