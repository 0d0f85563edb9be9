import { sql, type RawBuilder } from 'kysely';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/*
 * [Note: Quotas] The usage of an account is the sum of its originals; unfinished uploads also count towards its quota.
 *
 * The sum of originals is `user_storage` plus the deltas in `user_storage_deltas`, which triggers write in the
 * transaction that adds or removes an item. An unfinished resumable upload counts with its declared size, so that it
 * can always be finished.
 *
 * Bytes that the account already has, such as a repair of a damaged original, fit any quota. Before they arrive only
 * their size is known. So an upload with the size of an original may start over quota. If its bytes turn out to be new,
 * it is refused at the end, in favour of uploads that started earlier.
 *
 * A transaction that reserves bytes locks the account's row of `user_storage`, then sums up in a later statement, which
 * sees other commits. So concurrent uploads never exceed the quota together. An account without a quota takes no lock.
 */

/**
 * Returns the bytes left in the account's quota, or undefined without a quota. Takes no lock, so the value may be
 * outdated.
 */
export const findAvailableBytes = async (db: Database, userId: string): Promise<number | undefined> => {
  const { rows } = await sql<{ available: number | null }>`
    select quota_bytes - ${selectUsedBytes(sql`users.id`)} - ${unfinishedBytes(userId)} as available
    from users where id = ${userId} and quota_bytes is not null`.execute(prepared(db, 'available_bytes'));
  return rows[0]?.available ?? undefined;
};

/**
 * Rejects the item that this transaction has inserted, or an upload of `moreBytes` that it is about to start, if the
 * account is over its quota. Holds the account's lock until the end of the transaction.
 * @param uploadId resumable upload of the item: only uploads started before it count
 * @throws AppError QUOTA_EXCEEDED
 */
export const rejectOverQuota = async (
  db: Database,
  userId: string,
  quotaBytes: number | null,
  { moreBytes = 0, uploadId }: { readonly moreBytes?: number; readonly uploadId?: string | undefined },
): Promise<void> => {
  if (quotaBytes === null) return;
  // Locks the account's row without changing it. Creates it if missing.
  await sql`
    insert into user_storage (user_id, used_bytes) values (${userId}, 0)
    on conflict (user_id) do update set used_bytes = user_storage.used_bytes`.execute(db);
  const { rows } = await sql<{ bytes: number }>`
    select ${selectUsedBytes(sql`${userId}::uuid`)} + ${unfinishedBytes(userId, uploadId)} as bytes`.execute(db);
  if (rows[0]!.bytes + moreBytes <= quotaBytes) return;
  if (moreBytes === 0 || !(await hasOriginalOfSize(db, userId, moreBytes, moreBytes)))
    throw new AppError('QUOTA_EXCEEDED');
};

/**
 * Returns true if an upload whose size is in this range may be a repeat of an original. Each unfinished upload with
 * such a size needs its own original, so that repeats over quota never take more space than the originals.
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

/** Sums up unfinished resumable uploads, in bytes; with `uploadId`, only those started earlier. */
const unfinishedBytes = (userId: string, uploadId?: string) => {
  const earlier = sql`and (created_at, id) < (select created_at, id from uploads where id = ${uploadId})`;
  return sql<number>`(
    select coalesce(sum(length_bytes), 0)::bigint from uploads
    where user_id = ${userId} and media_item_id is null ${uploadId === undefined ? sql`` : earlier}
  )`;
};

/** Builds the expression of the originals' total, in bytes. `userId` is an SQL expression. */
export const selectUsedBytes = (userId: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  coalesce((select used_bytes from user_storage where user_storage.user_id = ${userId}), 0)
  + coalesce((select sum(bytes)::bigint from user_storage_deltas where user_storage_deltas.user_id = ${userId}), 0)
)`;

/** Like `rollUpCounts`, for storage usage. */
export const rollUpStorage = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from user_storage_deltas where id in (select id from user_storage_deltas order by id limit ${limit}) returning *
    ), owners as (
      -- Takes the foreign key's lock early: waits for a concurrent deletion of the user, then skips the user.
      select id from users where id in (select user_id from moved) and removing_at is null order by id for key share
    ), rolled_up as (
      insert into user_storage as kept (user_id, used_bytes)
      select user_id, sum(bytes) from moved join owners on owners.id = user_id group by user_id order by user_id
      on conflict (user_id) do update set used_bytes = kept.used_bytes + excluded.used_bytes
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};
