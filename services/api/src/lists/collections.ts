import { sql, type RawBuilder } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';
import { listCountedItems, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { prepared, hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import type { Collections } from '@hearth/core/db/tables.ts';

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
    await lockItems(trx, userId, mediaItemIds, 'share');
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
    await lockItems(trx, userId, mediaItemIds, 'share');
    await trx
      .deleteFrom('collection_items')
      .where('collection_id', '=', collectionId)
      .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
      .execute();
  });

/** Whether a row of a table has a collection with a visible item: the newest, which is read from one index, however many there are; in SQL. */
export const hasVisibleItem = (table: string): RawBuilder<boolean> => sql<boolean>`(
  select true from collection_items where collection_id = ${sql.ref(`${table}.id`)} and visibility = 'visible'
  order by local_time desc, media_item_id desc limit 1)`;

/** @throws NotFoundError where a user has no such collection; of other kinds than albums also where it has no visible item */
export const checkCollection = async (
  db: Database,
  userId: string,
  kind: Collections['kind'],
  id: string,
): Promise<void> => {
  const isThere =
    kind === 'album'
      ? sql`exists (select from albums where id = ${hiddenFromPlanner(id, 'uuid')})`
      : hasVisibleItem('collections');
  const { rows } = await sql`
    select from collections where id = ${hiddenFromPlanner(id, 'uuid')} and user_id = ${hiddenFromPlanner(userId, 'uuid')} and kind = ${kind} and ${isThere}`.execute(
    prepared(db, `${kind}_check`),
  );
  if (rows.length === 0) throw new NotFoundError(kind);
};

/** A page of a collection's visible items, newest first, as `listMediaItems` makes them of a library. */
export const listCollectionItems = async (db: Database, collectionId: string, page: Page): Promise<OwnItemPage> => {
  const collection = hiddenFromPlanner(collectionId, 'uuid');
  const list = {
    userId: sql<string>`(select user_id from collections where id = ${collection})`,
    listId: collection,
    filter: { visibility: 'visible' },
  } as const;
  const items = sql`collection_items where collection_id = ${collection} and visibility = 'visible'`;
  return listCountedItems(db, list, { name: 'collection_items', items, id: sql.ref('media_item_id') }, page);
};

/** How many visible items a collection has; none where it is not there. */
export const countCollectionItems = async (db: Database, collectionId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select ${countOf(sql`collections`)} as n from collections where id = ${collectionId}`.execute(
    prepared(db, 'collection_count'),
  );
  return rows[0]?.n ?? 0;
};

/** How many visible items a row of `collections` has: what is rolled up, and what waits. */
export const countOf = (collection: RawBuilder<unknown>): RawBuilder<number> => sql`(
  ${collection}.item_count + coalesce((
    select sum(n) from count_deltas where user_id = ${collection}.user_id and list_id = ${collection}.id), 0))::bigint`;
