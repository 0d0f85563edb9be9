import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';
import { listCountedItems, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import type { Collections } from '@hearth/core/db/tables.ts';

/**
 * Adds items to a collection, all or none. Ignores items already in it. Hidden and trashed items are added too, and
 * appear once they are visible again.
 * @throws NotFoundError if one of them is not the user's
 */
export const addToCollection = async (
  db: Database,
  userId: string,
  collectionId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockItems(trx, userId, mediaItemIds, 'share');
    await sql`
      insert into collection_items (collection_id, media_item_id, local_time, visibility, is_ready)
      select ${collectionId}, id, local_time, visibility, status = 'READY' from media_items
      where id = any(${mediaItemIds}::uuid[]) order by id
      on conflict do nothing`.execute(trx);
  });

/**
 * Removes items from a collection, all or none. Ignores items that are not in it.
 * @throws NotFoundError if one of them is not the user's
 */
export const removeFromCollection = async (
  db: Database,
  userId: string,
  collectionId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockItems(trx, userId, mediaItemIds, 'share');
    await trx
      .deleteFrom('collection_items')
      .where('collection_id', '=', collectionId)
      .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
      .execute();
  });

/**
 * SQL condition that the collection of a table's row has a visible item. Reads only the newest from an index, however
 * many there are.
 */
export const hasVisibleItem = (table: string): RawBuilder<boolean> => sql<boolean>`(
  select true from collection_items where collection_id = ${sql.ref(`${table}.id`)} and visibility = 'visible'
  order by local_time desc, media_item_id desc limit 1)`;

/** @throws NotFoundError if the user has no such collection, or it is not an album and has no visible item */
export const checkCollection = async (
  db: Database,
  userId: string,
  kind: Collections['kind'],
  id: string,
): Promise<void> => {
  const exists =
    kind === 'album'
      ? sql`exists (select from albums where id = ${hideFromPlanner(id, 'uuid')})`
      : hasVisibleItem('collections');
  const { rows } = await sql`
    select from collections where id = ${hideFromPlanner(id, 'uuid')} and user_id = ${hideFromPlanner(userId, 'uuid')} and kind = ${kind} and ${exists}`.execute(
    prepared(db, `${kind}_check`),
  );
  if (rows.length === 0) throw new NotFoundError(kind);
};

/** Returns a page of a collection's visible items, newest first, like `listMediaItems` for a library. */
export const listCollectionItems = async (db: Database, collectionId: string, page: Page): Promise<OwnItemPage> => {
  const collection = hideFromPlanner(collectionId, 'uuid');
  const list = {
    userId: sql<string>`(select user_id from collections where id = ${collection})`,
    listId: collection,
    filter: { visibility: 'visible' },
  } as const;
  const items = sql`collection_items where collection_id = ${collection} and visibility = 'visible'`;
  return listCountedItems(db, list, { name: 'collection_items', items, id: sql.ref('media_item_id') }, page);
};

/** Returns the number of visible items of a collection, or 0 if it does not exist. */
export const countCollectionItems = async (db: Database, collectionId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select ${selectItemCount(sql`collections`)} as n from collections where id = ${collectionId}`.execute(
    prepared(db, 'collection_count'),
  );
  return rows[0]?.n ?? 0;
};

/** SQL for the number of visible items of a row of `collections`: the stored count plus pending deltas. */
export const selectItemCount = (collection: RawBuilder<unknown>): RawBuilder<number> => sql`(
  ${collection}.item_count + coalesce((
    select sum(n) from count_deltas where user_id = ${collection}.user_id and list_id = ${collection}.id), 0))::bigint`;
