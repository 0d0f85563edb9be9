import { sql, type RawBuilder } from 'kysely';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/*
 * [Note: Quotas] What an account uses is the sum of its originals: `user_storage`, and what triggers have noted in `user_storage_deltas` since, in
 * the transaction that adds or removes an item. Unfinished resumable uploads count with the size that they were begun with, so that one that was
 * begun can be finished. Bytes that the account has already, as those that repair a damaged original, fit any quota. Until they have arrived only
 * their number is known, so an upload of the size of an original may begin over the quota. If its bytes turn out to be new, it is refused at its
 * end, in favour of the uploads that were begun before it. A transaction that reserves bytes of a quota first locks the account's row of `user_storage`, and adds up in a later
 * statement, which sees what others have written meanwhile. So all uploads together never get more than the quota. An account without a quota locks
 * nothing.
 */

/** How many bytes an account has left before its quota; undefined where it has none. May have changed by the time it is used. */
export const findAvailableBytes = async (db: Database, userId: string): Promise<number | undefined> => {
  const { rows } = await sql<{ available: number | null }>`
    select quota_bytes - ${usedBytesOf(sql`users.id`)} - ${unfinishedBytes(userId)} as available
    from users where id = ${userId} and quota_bytes is not null`.execute(prepared(db, 'available_bytes'));
  return rows[0]?.available ?? undefined;
};

/**
 * Refuses the item that this transaction has just inserted, or the upload that it is about to begin with `moreBytes`, where the account would be over
 * its quota; until the end of the transaction nobody else is given any bytes.
 * @param uploadId the resumable upload of the item: only those that were begun before it count against it
 * @throws AppError QUOTA_EXCEEDED
 */
export const refuseOverQuota = async (
  db: Database,
  userId: string,
  quotaBytes: number | null,
  { moreBytes = 0, uploadId }: { readonly moreBytes?: number; readonly uploadId?: string | undefined },
): Promise<void> => {
  if (quotaBytes === null) return;
  // Locks the account's row: changes nothing, and makes the row where there is none.
  await sql`
    insert into user_storage (user_id, used_bytes) values (${userId}, 0)
    on conflict (user_id) do update set used_bytes = user_storage.used_bytes`.execute(db);
  const { rows } = await sql<{ bytes: number }>`
    select ${usedBytesOf(sql`${userId}::uuid`)} + ${unfinishedBytes(userId, uploadId)} as bytes`.execute(db);
  if (rows[0]!.bytes + moreBytes <= quotaBytes) return;
  if (moreBytes === 0 || !(await hasOriginalOfSize(db, userId, moreBytes, moreBytes)))
    throw new AppError('QUOTA_EXCEEDED');
};

/**
 * True if the account has an original of this size whose bytes may be uploaded again. One is needed for each unfinished upload of this size, so
 * that the unfinished uploads of an account over its quota take no more than its originals.
 */
export const hasOriginalOfSize = async (
  db: Database,
  userId: string,
  atLeastBytes: number,
  atMostBytes: number,
): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`
    select (
      select count(*) from media_items
      where user_id = ${userId} and removing_at is null and size_bytes between ${atLeastBytes} and ${atMostBytes}
    ) > (
      select count(*) from uploads
      where user_id = ${userId} and media_item_id is null and length_bytes between ${atLeastBytes} and ${atMostBytes}
    ) as has`.execute(db);
  return rows[0]!.has;
};

/** Bytes that resumable uploads have been begun with and are not items yet; with `uploadId`, only those begun before that one. */
const unfinishedBytes = (userId: string, uploadId?: string) => {
  const earlier = sql`and (created_at, id) < (select created_at, id from uploads where id = ${uploadId})`;
  return sql<number>`(
    select coalesce(sum(length_bytes), 0)::bigint from uploads
    where user_id = ${userId} and media_item_id is null ${uploadId === undefined ? sql`` : earlier}
  )`;
};

/** The bytes that an account uses, of which `userId` is an expression. */
export const usedBytesOf = (userId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  coalesce((select used_bytes from user_storage where user_storage.user_id = ${userId}), 0)
  + coalesce((select sum(bytes)::bigint from user_storage_deltas where user_storage_deltas.user_id = ${userId}), 0)
)`;

/** As `rollUpCounts`, for the bytes that accounts use. */
export const rollUpStorage = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from user_storage_deltas where id in (select id from user_storage_deltas order by id limit ${limit}) returning *
    ), owners as (
      -- Locked as its foreign key would do, but first: a user who is being deleted meanwhile is waited for, and left out.
      select id from users where id in (select user_id from moved) and removing_at is null order by id for key share
    ), rolled_up as (
      insert into user_storage as kept (user_id, used_bytes)
      select user_id, sum(bytes) from moved join owners on owners.id = user_id group by user_id order by user_id
      on conflict (user_id) do update set used_bytes = kept.used_bytes + excluded.used_bytes
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};
