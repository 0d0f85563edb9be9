import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

export interface RemovedItem {
  readonly id: string;
  readonly userId: string;
}

const markBatch = 1_000;

/**
 * Marks all items for removal that have been in the trash for more than `days`. Returns their number. Skips items that
 * another transaction has locked, for example to restore them. The next call checks these again.
 */
export const markExpiredTrash = async (db: Database, days: number): Promise<number> => {
  for (let marked = 0; ;) {
    const { numAffectedRows = 0n } = await sql`
      update media_items set removing_at = now() where id in (
        select id from media_items
        where deleted_at < now() - ${days} * interval '1 day' and removing_at is null
        order by id limit ${markBatch} for update skip locked
      )`.execute(db);
    marked += Number(numAffectedRows);
    if (numAffectedRows < markBatch) return marked;
  }
};

/** Lists items marked for removal, longest marked first, without those in `except`. */
export const listItemsForRemoval = async (
  db: Database,
  limit: number,
  except: readonly string[] = [],
): Promise<RemovedItem[]> =>
  db
    .selectFrom('media_items')
    .select(['id', 'user_id as userId'])
    .where('removing_at', 'is not', null)
    .where(sql<boolean>`id <> all(${except}::uuid[])`)
    .orderBy('removing_at')
    .limit(limit)
    .execute();

/**
 * Deletes the rows of marked items and records that they were removed on purpose, see [Note: Abandoned items]. Delete
 * their objects first.
 */
export const deleteRemovedItems = async (db: Database, ids: readonly string[]): Promise<void> => {
  await sql`
    with removed as (
      delete from media_items where id = any(${ids}::uuid[]) and removing_at is not null returning id
    )
    insert into abandoned_items (media_item_id) select id from removed order by id
    on conflict do nothing`.execute(db);
};

const renditionColumns = ['preview_key', 'thumbnail_key', 'poster_key', 'motion_key', 'shared_video_key'] as const;

/**
 * Returns the existing items among `ids`, including marked ones, with the keys of their renditions and face thumbnails.
 * Objects of all other ids are orphans.
 */
export const listExistingItems = async (db: Database, ids: readonly string[]) => {
  const rows = await db
    .selectFrom('media_items')
    .select(['id', ...renditionColumns])
    .select(
      sql<string[]>`array(
        select thumbnail_key from faces where media_item_id = media_items.id and faces.visibility <> 'missed')`.as(
        'face_keys',
      ),
    )
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    renditionKeys: [...renditionColumns.map((column) => row[column]), ...row.face_keys].filter((key) => key !== null),
  }));
};
