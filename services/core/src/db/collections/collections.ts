import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { countCollectionItems, totalOfCollection } from './collectionCounts.ts';
import { transaction, type Database } from '../connection/database.ts';
import { emptyPage, toPage, type CountedRow, type OwnItemPage, type Page } from '../lists/mediaItemLists.ts';
import { unseen } from '../connection/preparedReads.ts';
import { isListedItemShared } from './sharedItems.ts';

/**
 * Puts items into a collection, all or none; one that is there already stays there once. Those that are hidden or in the trash count and
 * are shown as soon as they are visible again.
 * @throws NotFoundError where one of them is not the user's
 */
export const addToCollection = async (
  db: Database,
  userId: string,
  collectionId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockItems(trx, userId, mediaItemIds);
    await sql`
      insert into collection_items (collection_id, media_item_id, local_time, visibility, is_ready)
      select ${collectionId}, id, local_time, visibility, status = 'READY' from media_items
      where id = any(${mediaItemIds}::uuid[]) order by id
      on conflict do nothing`.execute(trx);
  });

/**
 * Takes items out of a collection, all or none; one that is not in it does not matter.
 * @throws NotFoundError where one of them is not the user's
 */
export const removeFromCollection = async (
  db: Database,
  userId: string,
  collectionId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockItems(trx, userId, mediaItemIds);
    await trx
      .deleteFrom('collection_items')
      .where('collection_id', '=', collectionId)
      .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
      .execute();
  });

/** Until the transaction ends nobody changes these items, so that what a collection keeps of them is right. In one order, as everywhere. */
const lockItems = async (trx: Database, userId: string, ids: readonly string[]): Promise<void> => {
  const found = await trx
    .selectFrom('media_items')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('removing_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  if (found.length < new Set(ids).size) throw new NotFoundError('media item');
};

/** A page of a collection's visible items, newest first, as `listMediaItems` makes them of a library. */
export const listCollectionItems = async (
  db: Database,
  collectionId: string,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const collection = unseen(collectionId, 'uuid');
  if ('number' in start && start.number > 1) {
    const offset = (start.number - 1) * limit;
    const { rows } = await sql<CountedRow>`
      select item.*, ${isListedItemShared} as is_shared, jump.total
      from find_collection_page(${collection}, ${offset}) as jump
      cross join lateral (
        select media_item_id from collection_items
        where collection_id = ${collection} and visibility = 'visible'
          and (local_time, media_item_id) < (jump.before, jump.before_id)
        order by local_time desc, media_item_id desc limit ${sql.lit(limit)} offset jump.skip
      ) as page
      join media_items as item on item.id = page.media_item_id
      order by item.local_time desc, item.id desc`.execute(db);
    return rows.length === 0 ? emptyPage(await countCollectionItems(db, collectionId)) : toPage(rows);
  }
  const behind =
    'after' in start
      ? sql`and (local_time, media_item_id) < (${unseen(start.after.localTime, 'timestamp')}, ${unseen(start.after.id, 'uuid')})`
      : sql``;
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, kept.total from (${totalOfCollection(collection)}) as kept
    left join (
      select media_item_id from collection_items
      where collection_id = ${collection} and visibility = 'visible' ${behind}
      order by local_time desc, media_item_id desc limit ${sql.lit(limit)}
    ) as page on true
    left join media_items as item on item.id = page.media_item_id
    order by item.local_time desc, item.id desc`.execute(db);
  return toPage(rows);
};
