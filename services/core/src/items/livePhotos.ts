import { sql } from 'kysely';
import { matchHalves, type Half } from './matchHalves.ts';
import type { Database } from '../db/database.ts';

/*
 * [Note: Live Photos] A Live Photo is a photo and a video of one user that carry the same content identifier. The video is the half of the photo: it
 * is shown in the photo and in no list by itself (`visibility`), and gives the photo its favourite, hidden, albums and description. Which video
 * belongs to which photo follows from the rows alone (`matchHalves.ts`), and is worked out anew in every transaction that changes these rows. Two
 * such transactions, for example for both halves on two workers, must not run at the same time, since neither would see the other's row. So each
 * begins with `lockLivePhotos`: it takes a lock per user before it locks any row, and then locks all rows that it may write, in the order of their
 * ids, as everywhere.
 */

/** Keeps user ids apart from whatever else takes such locks. */
const lockSpace = 7_301_948;

/** Which of a user's items a transaction is about. */
export interface LiveScope {
  readonly ids: readonly string[];
  /** Besides those that these items have. */
  readonly contentIdentifiers?: readonly string[];
}

export interface LockedItem {
  readonly id: string;
  readonly contentIdentifier: string | null;
  readonly motionItemId: string | null;
  readonly deletedAt: Date | null;
}

/**
 * Locks these items, as far as they are the user's and not being removed, and all items that are or may become their halves or photos, and answers
 * them. To be called before the transaction has locked any item.
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

/** Works out which videos belong to which photos with these content identifiers, and writes what has changed. */
export const pairLivePhotos = async (
  trx: Database,
  userId: string,
  contentIdentifiers: readonly (string | null)[],
): Promise<void> => {
  for (const contentIdentifier of new Set(contentIdentifiers)) {
    if (contentIdentifier === null) continue;
    const group = halves(trx, userId).where('content_identifier', '=', contentIdentifier);
    await writeMatches(trx, await group.execute());
  }
};

/** Separates an item that has lost its content identifier from its photo or video. `pairLivePhotos` works out the other items. */
export const splitLivePhoto = async (trx: Database, userId: string, id: string): Promise<void> => {
  await writeMatches(trx, await halves(trx, userId).where('id', '=', id).execute());
};

const halves = (trx: Database, userId: string) =>
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
    if (halfId !== null) await handOver(trx, halfId, id);
  }
};

/**
 * Gives a photo what its video was given while it stood by itself: favourite, hidden, albums and, where the photo has none, the description. Once, when
 * they become a pair: what is taken from the photo later stays taken. The video keeps its own, for when it stands by itself again.
 */
const handOver = async (trx: Database, halfId: string, photoId: string): Promise<void> => {
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

/**
 * The halves that go with these photos when the photos leave `all`, such as the items in the trash: the halves that no other photo of `all` plays.
 */
export const listFollowers = (leaving: readonly LockedItem[], all: readonly LockedItem[]): string[] => {
  const staying = all.filter((item) => !leaving.includes(item));
  const needed = new Set(staying.map(({ motionItemId }) => motionItemId));
  return leaving.flatMap(({ motionItemId }) => (motionItemId === null || needed.has(motionItemId) ? [] : motionItemId));
};
