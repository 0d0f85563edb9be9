import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { firstId } from '../db/ids.ts';
import { findCentreNear, laterByHash, listLaterNear } from './nearPictures.ts';

/**
 * Maximum number of photos per transaction, which take some seconds. Only a large group whose first photo comes last
 * needs more.
 */
const maxSettled = 1_000;

interface Settled {
  readonly id: string;
  readonly hash: bigint;
  readonly groupId: string;
  readonly isCentre: boolean;
}

/**
 * Assigns a photo with a new hash to its group, and reassigns other photos whose group changes by that, see [Note:
 * Duplicates]. Works in the order of ids, because the group of a photo depends only on photos before it. Leaves the
 * rest after 1,000 photos to `settleMore`. Requires the lock of the user's duplicates.
 */
export const settlePicture = (
  trx: Database,
  userId: string,
  mediaItemId: string,
  limit: number = maxSettled,
): Promise<void> => settle(trx, userId, [mediaItemId], limit);

/** Assigns some of a user's remaining photos. Holds the lock of the user's duplicates until the transaction ends. */
export const settleMore = async (trx: Database, userId: string, limit: number): Promise<void> => {
  await sql`select lock_duplicates(${userId})`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    delete from unsettled_pictures where media_item_id in (
      select media_item_id from unsettled_pictures where user_id = ${userId} order by media_item_id limit ${limit})
    returning media_item_id as id`.execute(trx);
  await settle(
    trx,
    userId,
    rows.map(({ id }) => id),
    limit,
  );
};

const settle = async (trx: Database, userId: string, ids: readonly string[], limit: number): Promise<void> => {
  const due = new Set(ids);
  const left = new Set<string>();
  for (let settled = 0; due.size > 0 && settled < limit; settled += 1) {
    const id = firstOf(due);
    due.delete(id);
    const picture = await findPicture(trx, id);
    if (picture === undefined) continue;
    const centre = await findCentreNear(trx, userId, picture);
    if (centre === undefined) {
      if (!picture.isCentre) await place(trx, id, sql`free_duplicate_group(${id})`, true);
      const { near, comparedTo } = await listLaterNear(trx, userId, picture, limit);
      for (const later of near) due.add(later.id);
      if (comparedTo !== undefined) await leave(trx, laterByHash(userId, picture, comparedTo));
    } else if (picture.isCentre || picture.groupId !== centre.groupId) {
      await place(trx, id, sql`${centre.groupId}::uuid`, false);
      if (!picture.isCentre) continue;
      left.add(picture.groupId);
      const members = await listMembers(trx, picture.groupId, limit);
      for (const member of members) due.add(member);
      if (members.length === limit) await leave(trx, membersBehind(picture.groupId, members.at(-1)!));
    }
  }
  if (left.size > 0) await giveCentres(trx, [...left]);
  if (due.size > 0) await leave(trx, sql`select unnest(${[...due]}::uuid[]) as id`);
};

/** Records the photos selected by a query, to be assigned later. */
const leave = async (trx: Database, photos: RawBuilder<unknown>): Promise<void> => {
  await sql`
    insert into unsettled_pictures (media_item_id, user_id)
    select media_item_id, user_id from picture_hashes where media_item_id in (select id from (${photos}) as photos)
    on conflict do nothing`.execute(trx);
};

const firstOf = (ids: ReadonlySet<string>): string => [...ids].reduce((first, id) => (id < first ? id : first));

const findPicture = async (trx: Database, id: string): Promise<Settled | undefined> => {
  const { rows } = await sql<Omit<Settled, 'hash'> & { hash: string }>`
    select media_item_id as id, hash::text, group_id as "groupId", is_centre as "isCentre"
    from picture_hashes where media_item_id = ${id}`.execute(prepared(trx, 'picture'));
  return rows[0] && { ...rows[0], hash: BigInt(rows[0].hash) };
};

const place = async (trx: Database, id: string, groupId: RawBuilder<unknown>, isCentre: boolean): Promise<void> => {
  await sql`
    update picture_hashes set group_id = ${groupId}, is_centre = ${isCentre} where media_item_id = ${id}`.execute(trx);
};

const membersBehind = (groupId: string, after: string): RawBuilder<unknown> => sql`
  select media_item_id as id from picture_hashes where group_id = ${groupId} and not is_centre and media_item_id > ${after}`;

const listMembers = async (trx: Database, groupId: string, limit: number): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    ${membersBehind(groupId, firstId)} order by media_item_id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Makes the first photo the representative of each group that has lost its own. */
const giveCentres = async (trx: Database, groupIds: readonly string[]): Promise<void> => {
  await sql`
    update picture_hashes as first set is_centre = true
    from unnest(${groupIds}::uuid[]) as left_group (id)
    where not exists (select from picture_hashes where group_id = left_group.id and is_centre)
      and first.media_item_id = (
        select media_item_id from picture_hashes where group_id = left_group.id and not is_centre order by media_item_id limit 1)`.execute(
    trx,
  );
};
