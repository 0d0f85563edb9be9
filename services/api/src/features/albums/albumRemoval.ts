import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import type { InTransaction } from '../../accounts/accountRemoval.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';

/*
 * [Note: Album removal] An album is gone for everybody with its own row and its words, in one short transaction. What is left is a collection of
 * the kind `album` without an album, which nobody can reach or fill; its entries go in batches, each of which locks a few items. Where that is
 * cut off, the housekeeper goes on with what is left.
 */

/** Entries removed by one transaction: about 0.05 s, in which their items cannot be changed. */
const entryBatch = 500;

/** Takes an album from everybody; its items stay in the library. What is left of it goes by `removeClosedAlbum`. @throws NotFoundError */
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

/** Removes what is left of a closed album, one transaction after another; called again after a crash, it goes on. */
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
 * Removes some entries in the order of their items, from behind `after`, and answers the last one's item; undefined where there is none. A batch
 * begins where the one before ended: what that one has deleted stays in the index until the next vacuum, and would be read again.
 */
const deleteEntries = async (trx: Database, id: string, after: string, batch: number): Promise<string | undefined> => {
  const { rows } = await sql<{ itemId: string }>`
    select media_item_id as "itemId" from collection_items
    where collection_id = ${id} and media_item_id > ${after} and exists (select from collections where ${isClosed(id)})
    order by media_item_id limit ${batch}`.execute(trx);
  if (rows.length === 0) return undefined;
  const itemIds = sql`${rows.map(({ itemId }) => itemId)}::uuid[]`;
  // Items are locked first: whoever changes items locks them in this order, and a trigger then locks their entries, in no order.
  await sql`select from media_items where id = any(${itemIds}) order by id for share`.execute(trx);
  await sql`delete from collection_items where collection_id = ${id} and media_item_id = any(${itemIds})`.execute(trx);
  return rows.at(-1)!.itemId;
};
