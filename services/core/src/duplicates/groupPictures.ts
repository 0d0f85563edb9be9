import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { firstId } from '../db/ids.ts';
import { findSimilarRepresentative, selectLaterByHash, listLaterSimilar } from './similarPictures.ts';

/**
 * Maximum number of photos per transaction; they take some seconds. Only a large group whose first photo is added last
 * needs more.
 */
const maxGrouped = 1_000;

interface GroupedPicture {
  readonly id: string;
  readonly hash: bigint;
  readonly groupId: string;
  /** True for the representative of the group. */
  readonly isCentre: boolean;
}

/**
 * Assigns a photo with a new hash to its group, and reassigns other photos whose group changes as a result. Works in the
 * order of ids, because the group of a photo depends only on photos before it ([Note: Duplicates]). Leaves the rest
 * after 1,000 photos to `groupRemainingPictures`. Requires the lock of the user's duplicates.
 */
export const groupPicture = (
  trx: Database,
  userId: string,
  mediaItemId: string,
  limit: number = maxGrouped,
): Promise<void> => groupPictures(trx, userId, [mediaItemId], limit);

/** Assigns some of a user's remaining photos. Holds the lock of the user's duplicates until the transaction ends. */
export const groupRemainingPictures = async (trx: Database, userId: string, limit: number): Promise<void> => {
  await sql`select lock_duplicates(${userId})`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    delete from unsettled_pictures where media_item_id in (
      select media_item_id from unsettled_pictures where user_id = ${userId} order by media_item_id limit ${limit})
    returning media_item_id as id`.execute(trx);
  await groupPictures(
    trx,
    userId,
    rows.map(({ id }) => id),
    limit,
  );
};

const groupPictures = async (trx: Database, userId: string, ids: readonly string[], limit: number): Promise<void> => {
  const due = new Set(ids);
  const groupsWithoutRepresentative = new Set<string>();
  for (let groupedCount = 0; due.size > 0 && groupedCount < limit; groupedCount += 1) {
    const id = findFirst(due);
    due.delete(id);
    const picture = await findPicture(trx, id);
    if (picture === undefined) continue;
    const representative = await findSimilarRepresentative(trx, userId, picture);
    if (representative === undefined) {
      if (!picture.isCentre) await setGroup(trx, id, sql`free_duplicate_group(${id})`, true);
      const { similar, lastComparedId } = await listLaterSimilar(trx, userId, picture, limit);
      for (const later of similar) due.add(later.id);
      if (lastComparedId !== undefined) await deferPictures(trx, selectLaterByHash(userId, picture, lastComparedId));
    } else if (picture.isCentre || picture.groupId !== representative.groupId) {
      await setGroup(trx, id, sql`${representative.groupId}::uuid`, false);
      if (!picture.isCentre) continue;
      groupsWithoutRepresentative.add(picture.groupId);
      const members = await listMembers(trx, picture.groupId, limit);
      for (const member of members) due.add(member);
      if (members.length === limit) await deferPictures(trx, selectMembersAfter(picture.groupId, members.at(-1)!));
    }
  }
  if (groupsWithoutRepresentative.size > 0) await setMissingRepresentatives(trx, [...groupsWithoutRepresentative]);
  if (due.size > 0) await deferPictures(trx, sql`select unnest(${[...due]}::uuid[]) as id`);
};

/** Records the photos selected by a query, to be assigned later. */
const deferPictures = async (trx: Database, photos: RawBuilder<unknown>): Promise<void> => {
  await sql`
    insert into unsettled_pictures (media_item_id, user_id)
    select media_item_id, user_id from picture_hashes where media_item_id in (select id from (${photos}) as photos)
    on conflict do nothing`.execute(trx);
};

const findFirst = (ids: ReadonlySet<string>): string => [...ids].reduce((first, id) => (id < first ? id : first));

const findPicture = async (trx: Database, id: string): Promise<GroupedPicture | undefined> => {
  const { rows } = await sql<Omit<GroupedPicture, 'hash'> & { hash: string }>`
    select media_item_id as id, hash::text, group_id as "groupId", is_centre as "isCentre"
    from picture_hashes where media_item_id = ${id}`.execute(prepared(trx, 'picture'));
  return rows[0] && { ...rows[0], hash: BigInt(rows[0].hash) };
};

const setGroup = async (
  trx: Database,
  id: string,
  groupId: RawBuilder<unknown>,
  isRepresentative: boolean,
): Promise<void> => {
  await sql`
    update picture_hashes set group_id = ${groupId}, is_centre = ${isRepresentative} where media_item_id = ${id}`.execute(
    trx,
  );
};

const selectMembersAfter = (groupId: string, after: string): RawBuilder<unknown> => sql`
  select media_item_id as id from picture_hashes where group_id = ${groupId} and not is_centre and media_item_id > ${after}`;

const listMembers = async (trx: Database, groupId: string, limit: number): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    ${selectMembersAfter(groupId, firstId)} order by media_item_id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Makes the first photo the representative of each group that has lost its own. */
const setMissingRepresentatives = async (trx: Database, groupIds: readonly string[]): Promise<void> => {
  await sql`
    update picture_hashes as first set is_centre = true
    from unnest(${groupIds}::uuid[]) as left_group (id)
    where not exists (select from picture_hashes where group_id = left_group.id and is_centre)
      and first.media_item_id = (
        select media_item_id from picture_hashes where group_id = left_group.id and not is_centre order by media_item_id limit 1)`.execute(
    trx,
  );
};
