import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import type { Database } from './database.ts';

/*
 * [Note: Quotas] What an account uses is the sum of its originals, kept by triggers in `user_storage` in the transaction that adds or removes an
 * item. Unfinished resumable uploads count with the size that they were begun with, so that one that was begun can be finished. Whoever is to be
 * given room locks the account's row of `user_storage` first and reckons then: together, uploads never get more than the quota.
 */

/** How much room an account has left before its quota; undefined where it has none. May have changed by the time it is used. */
export const findRoom = async (db: Database, userId: string): Promise<number | undefined> => {
  const { rows } = await sql<{ room: number | null }>`
    select users.quota_bytes - coalesce(user_storage.used_bytes, 0) - ${unfinishedBytes(userId)} as room
    from users left join user_storage on user_storage.user_id = users.id
    where users.id = ${userId} and users.quota_bytes is not null`.execute(db);
  return rows[0]?.room ?? undefined;
};

/**
 * Refuses an upload of so many bytes that is about to begin and for which there is no room; until the end of the transaction nobody else is given it.
 * @throws AppError QUOTA_EXCEEDED
 */
export const reserveRoom = async (
  db: Database,
  userId: string,
  quotaBytes: number | null,
  bytes: number,
): Promise<void> => {
  if (quotaBytes === null) return;
  // Changes nothing, and locks the row, which is made where there is none.
  const { rows: locked } = await sql<{ used_bytes: number }>`
    insert into user_storage (user_id, used_bytes) values (${userId}, 0)
    on conflict (user_id) do update set used_bytes = user_storage.used_bytes returning used_bytes`.execute(db);
  const { rows } = await sql<{ bytes: number }>`select ${unfinishedBytes(userId)} as bytes`.execute(db);
  if ((locked[0]?.used_bytes ?? 0) + (rows[0]?.bytes ?? 0) + bytes > quotaBytes) throw new AppError('QUOTA_EXCEEDED');
};

/**
 * Refuses the item that this transaction has just inserted, and whose trigger has locked the account's row, where it is over the quota.
 * @param isReserved whether its room was reserved: that of the others then does not count against it
 * @throws AppError QUOTA_EXCEEDED
 */
export const refuseOverQuota = async (
  db: Database,
  userId: string,
  quotaBytes: number | null,
  isReserved: boolean,
): Promise<void> => {
  if (quotaBytes === null) return;
  const reserved = isReserved ? sql<number>`0` : unfinishedBytes(userId);
  const { rows } = await sql<{ bytes: number }>`
    select used_bytes + ${reserved} as bytes from user_storage where user_id = ${userId}`.execute(db);
  if ((rows[0]?.bytes ?? 0) > quotaBytes) throw new AppError('QUOTA_EXCEEDED');
};

/** Bytes that resumable uploads have been begun with and are not items yet. */
const unfinishedBytes = (userId: string) =>
  sql<number>`(
    select coalesce(sum(length_bytes), 0)::bigint from uploads where user_id = ${userId} and media_item_id is null
  )`;
