import { sql } from 'kysely';
import type { Database } from './database.ts';

/** An item that is being removed for good. */
export interface RemovedItem {
  readonly id: string;
  readonly userId: string;
}

/** Marks everything for removal that has been in the trash for more than `days`, and answers how much that was. */
export const markExpiredTrash = async (db: Database, days: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('media_items')
    .set({ removing_at: sql`now()` })
    .where('deleted_at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Items marked for removal, the longest marked first. */
export const listItemsForRemoval = async (db: Database, limit: number): Promise<RemovedItem[]> =>
  db
    .selectFrom('media_items')
    .select(['id', 'user_id as userId'])
    .where('removing_at', 'is not', null)
    .orderBy('removing_at')
    .limit(limit)
    .execute();

/** Removes the rows of marked items; their objects must be gone. */
export const deleteRemovedItems = async (db: Database, ids: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('media_items')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('removing_at', 'is not', null)
    .execute();
};

/** An item whose objects may stay, and the keys of those that were made from its original. */
export interface KeptItem {
  readonly id: string;
  readonly renditionKeys: readonly string[];
}

/** Those of `ids` that exist as items, marked ones included: the objects of the others are orphans. */
export const listKeptItems = async (db: Database, ids: readonly string[]): Promise<KeptItem[]> => {
  const rows = await db
    .selectFrom('media_items')
    .select(['id', 'preview_key', 'thumbnail_key', 'poster_key', 'motion_key'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    renditionKeys: [row.preview_key, row.thumbnail_key, row.poster_key, row.motion_key].filter((key) => key !== null),
  }));
};
