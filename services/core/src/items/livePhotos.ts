import { sql } from 'kysely';
import { matchHalves, type Half } from './matchHalves.ts';
import type { Database } from '../db/database.ts';

/*
 * [Note: Live Photos] A Live Photo is a photo and a video of one user with the same content identifier. The video is
 * called the half of the photo: the photo shows it, and lists do not (`visibility`). When they become a pair, the photo
 * takes over favourite, hidden, albums and description of the video. The rows alone determine which video belongs to
 * which photo (`matchHalves.ts`), and each transaction that changes these rows computes it again. Two such transactions,
 * for example for both items on two workers, must not run at the same time, because neither would see the other's row.
 * So each starts with `lockLivePhotos`: it takes an advisory lock per user before any row lock, then locks all rows it
 * may write, ordered by id as everywhere.
 */

/** Namespace of the advisory lock. */
const lockSpace = 7_301_948;

/** The items that a transaction changes. */
export interface LiveScope {
  readonly ids: readonly string[];
  /** Identifiers in addition to those of the items. */
  readonly contentIdentifiers?: readonly string[];
}

export interface LockedItem {
  readonly id: string;
  readonly contentIdentifier: string | null;
  readonly motionItemId: string | null;
  readonly deletedAt: Date | null;
}

/**
 * Locks the user's items in scope, without those being deleted, and all items that are or may become their halves or
 * photos. Returns them. Must be the first item lock of the transaction.
 */
export const lockLivePhotos = async (trx: Database, userId: string, scope: LiveScope): Promise<LockedItem[]> => {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${userId}))`.execute(trx);
  const { rows } = await sql<LockedItem>`
    with named as (select id, content_identifier from media_items where id = any(${scope.ids}::uuid[]) and user_id = ${userId}),
    scope as (
      select id from named
      union
      select id from media_items
      where user_id = ${userId} and content_identifier is not null and content_identifier in (
        select content_identifier from named union all select unnest(${scope.contentIdentifiers ?? []}::text[]))
    )
    select id, content_identifier as "contentIdentifier", motion_item_id as "motionItemId", deleted_at as "deletedAt"
    from media_items where id in (select id from scope) and removing_at is null
    order by id for update`.execute(trx);
  return rows;
};

/** Matches videos and photos with these content identifiers, and writes the changes. */
export const pairLivePhotos = async (
  trx: Database,
  userId: string,
  contentIdentifiers: readonly (string | null)[],
): Promise<void> => {
  for (const contentIdentifier of new Set(contentIdentifiers)) {
    if (contentIdentifier === null) continue;
    const group = selectHalves(trx, userId).where('content_identifier', '=', contentIdentifier);
    await writeMatches(trx, await group.execute());
  }
};

/** Unpairs an item that has lost its content identifier. `pairLivePhotos` updates the other items. */
export const splitLivePhoto = async (trx: Database, userId: string, id: string): Promise<void> => {
  await writeMatches(trx, await selectHalves(trx, userId).where('id', '=', id).execute());
};

const selectHalves = (trx: Database, userId: string) =>
  trx
    .selectFrom('media_items')
    .select(['id', 'type', 'filename', 'checksum', 'deleted_at', 'preview_key'])
    .select(['motion_item_id', 'motion_key', 'shared_video_key', 'is_motion_half'])
    .select(['category', 'unpaired_category'])
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null);

const writeMatches = async (trx: Database, items: readonly Half[]): Promise<void> => {
  for (const { id, ...columns } of matchHalves(items)) {
    await trx
      .updateTable('media_items')
      .set({ ...columns, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    const { motion_item_id: halfId = null } = columns;
    if (halfId !== null) await copyUserDataToPhoto(trx, halfId, id);
  }
};

/**
 * Copies favourite, hidden and albums of a video to its photo, and the description if the photo has none. Runs once,
 * when they become a pair: later changes of the photo stay. The video keeps its own values, for when it is unpaired
 * again.
 */
const copyUserDataToPhoto = async (trx: Database, halfId: string, photoId: string): Promise<void> => {
  await sql`
    update media_items as photo
    set is_favourite = photo.is_favourite or half.is_favourite, is_hidden = photo.is_hidden or half.is_hidden,
      description = coalesce(photo.description, half.description)
    from media_items as half
    where photo.id = ${photoId} and half.id = ${halfId}
      and (half.is_favourite and not photo.is_favourite or half.is_hidden and not photo.is_hidden
        or photo.description is null and half.description is not null)`.execute(trx);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility, is_ready)
    select collection_id, photo.id, photo.local_time, photo.visibility, photo.status = 'READY'
    from collection_items as entry
    join albums on albums.id = entry.collection_id
    join media_items as photo on photo.id = ${photoId}
    where entry.media_item_id = ${halfId}
    order by collection_id
    on conflict do nothing`.execute(trx);
};
