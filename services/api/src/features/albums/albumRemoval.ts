import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import type { InTransaction } from '../../accounts/accountRemoval.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/*
 * [Note: Album removal] Deleting the row of an album hides it at once; its entries are deleted afterwards in batches.
 *
 * One short transaction deletes the album's row and its search words. Its row in `collections` remains, but no request can
 * reach or fill it. Each batch of entries locks only a few items. Housekeeping completes an interrupted removal.
 */

/** Entries deleted per transaction: about 0.05 s, during which their items cannot change. */
const entryBatch = 500;

/**
 * Hides an album from everyone. Its items stay in the library. Call `removeClosedAlbum` to delete the rest.
 * @throws NotFoundError
 */
export const closeAlbum = async (db: Database, userId: string, id: string): Promise<void> =>
  transaction(db, async (trx) => {
    await trx
      .deleteFrom('albums')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirstOrThrow(() => new NotFoundError('album'));
    await sql`delete from search_words where collection_id = ${id}`.execute(trx);
  });

export const listClosedAlbums = async (db: Database, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from collections
    where kind = 'album' and not exists (select from albums where albums.id = collections.id) limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** Deletes the rest of a closed album, in several transactions. Call it again after a crash to continue. */
export const removeClosedAlbum = async (
  inTransaction: InTransaction,
  id: string,
  batch: number = entryBatch,
): Promise<void> => {
  let last: string | undefined = firstId;
  while (last !== undefined) {
    const after: string = last;
    last = await inTransaction((trx) => deleteEntries(trx, id, after, batch));
  }
  await inTransaction((trx) => sql`delete from collections where ${isClosed(id)}`.execute(trx));
};

const isClosed = (id: string) =>
  sql<boolean>`collections.id = ${id} and kind = 'album' and not exists (select from albums where albums.id = ${id})`;

/**
 * Deletes the next entries by item id and returns the last item, or undefined if none is left. `after` skips index
 * entries of deleted rows, which stay in the index until the next vacuum.
 */
const deleteEntries = async (trx: Database, id: string, after: string, batch: number): Promise<string | undefined> => {
  const { rows } = await sql<{ itemId: string }>`
    select media_item_id as "itemId" from collection_items
    where collection_id = ${id} and media_item_id > ${after} and exists (select from collections where ${isClosed(id)})
    order by media_item_id limit ${batch}`.execute(trx);
  if (rows.length === 0) return undefined;
  const itemIds = sql`${rows.map(({ itemId }) => itemId)}::uuid[]`;
  // Locks the items first, by id like every change of items. A trigger of such a change locks entries in arbitrary order,
  // so locking the entries first could deadlock.
  await sql`select from media_items where id = any(${itemIds}) order by id for share`.execute(trx);
  await sql`delete from collection_items where collection_id = ${id} and media_item_id = any(${itemIds})`.execute(trx);
  return rows.at(-1)!.itemId;
};
