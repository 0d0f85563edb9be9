import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/**
 * Merges trashed duplicates into the kept photo. Adds it to their albums, makes it a favourite if one of them is, and
 * copies the description of the best one if it has none. Records the changes with the group. All photos must be locked.
 */
export const mergeIntoKept = async (
  trx: Database,
  groupId: string,
  keptId: string,
  mediaItemIds: readonly string[],
): Promise<void> => {
  const { rows: albums } = await sql<{ id: string }>`
    insert into collection_items (collection_id, media_item_id, local_time, visibility, is_ready)
    select distinct entry.collection_id, kept.id, kept.local_time, kept.visibility, kept.status = 'READY'
    from collection_items as entry
      join albums on albums.id = entry.collection_id
      join media_items as kept on kept.id = ${keptId}
    where entry.media_item_id = any(${mediaItemIds}::uuid[])
    order by entry.collection_id
    on conflict do nothing
    returning collection_id as id`.execute(trx);
  const { rows: favourites } = await sql`
    update media_items set is_favourite = true, updated_at = now()
    where id = ${keptId} and not is_favourite
      and exists (select from media_items as other where other.id = any(${mediaItemIds}::uuid[]) and other.is_favourite)
    returning id`.execute(trx);
  const { rows: described } = await sql<{ description: string }>`
    update media_items as kept set description = best.description, updated_at = now()
    from (
      select description from media_items join picture_hashes on media_item_id = id
      where id = any(${mediaItemIds}::uuid[]) and coalesce(description, '') <> ''
      order by score desc, id limit 1) as best
    where kept.id = ${keptId} and coalesce(kept.description, '') = ''
    returning kept.description`.execute(trx);
  // Drops the changes recorded for an earlier kept photo. That photo keeps them.
  await sql`
    update duplicate_groups set
      given_albums = case when kept_id = ${keptId} then given_albums else '{}' end || ${albums.map(({ id }) => id)}::uuid[],
      gave_favourite = (kept_id is not distinct from ${keptId} and gave_favourite) or ${favourites.length > 0},
      given_description = coalesce(${described[0]?.description ?? null}, case when kept_id = ${keptId} then given_description end),
      kept_id = ${keptId}
    where id = ${groupId}`.execute(trx);
};

/**
 * Reverts `mergeIntoKept`: removes an album, the favourite flag or the description from the kept photo if another photo of
 * the group has it, or is about to be restored with it. Otherwise the other photo was permanently deleted, and the kept
 * photo keeps the property. The kept photo must be locked, and the others not restored yet.
 */
export const revertMerge = async (trx: Database, groupId: string): Promise<void> => {
  await sql`
    delete from collection_items using duplicate_groups as review
    where review.id = ${groupId} and media_item_id = review.kept_id and collection_id = any(review.given_albums)
      and exists (
        select from ${others} join collection_items as entry on entry.media_item_id = other.media_item_id
        where ${areOthers} and entry.collection_id = collection_items.collection_id)`.execute(trx);
  await sql`
    update media_items set is_favourite = false, updated_at = now()
    from duplicate_groups as review
    where review.id = ${groupId} and review.gave_favourite and media_items.id = review.kept_id and is_favourite
      and exists (
        select from ${others} join media_items as item on item.id = other.media_item_id
        where ${areOthers} and item.is_favourite)`.execute(trx);
  await sql`
    update media_items set description = null, updated_at = now()
    from duplicate_groups as review
    where review.id = ${groupId} and media_items.id = review.kept_id and media_items.description = review.given_description
      and exists (
        select from ${others} join media_items as item on item.id = other.media_item_id
        where ${areOthers} and item.description = review.given_description)`.execute(trx);
  await sql`
    update duplicate_groups set kept_id = null, given_albums = '{}', gave_favourite = false, given_description = null
    where id = ${groupId}`.execute(trx);
};

const others = sql`picture_hashes as other`;

/** The group's other photos that are visible or that the review moved to the trash. */
const areOthers = sql`
  other.group_id = review.id and other.media_item_id <> review.kept_id and (other.is_set_aside or other.visibility = 'visible')`;
