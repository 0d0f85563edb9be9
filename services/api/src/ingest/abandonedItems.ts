import { sql, type RawBuilder } from 'kysely';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/*
 * [Note: Abandoned items] Before the orphan sweep deletes an original, it records the item as abandoned, so that the
 * item can never be inserted.
 *
 * This resolves a race. The sweep deletes originals without a row, see [Note: Orphans]: it queries the database first
 * and deletes from the store later. An upload stores its object first and inserts its row later. Either process may
 * freeze in between, for any time, and the store knows neither ages of uploads nor leases. With the record, the one
 * that commits first wins. Items removed on purpose are recorded too: if a power loss brings their original back, the
 * next sweep deletes it.
 */

/** Advisory lock: inserts share it, and the daily sweep takes it exclusively. The number is arbitrary, but unique. */
const lock = 7_301_948_221;

/**
 * Prevents items with these ids from ever being inserted. Skips ids of existing items, and of uploads that may still run
 * for days. Returns the other ids. Waits for inserts in progress.
 */
export const abandonItems = async (trx: Database, ids: readonly string[]): Promise<string[]> => {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    insert into abandoned_items as existing (media_item_id)
    select wanted.id from unnest(${ids}::uuid[]) as wanted (id)
    where not exists (select from media_items where media_items.id = wanted.id)
      and not ${canBecomeItem(sql`wanted.id`)}
    on conflict (media_item_id) do update set abandoned_at = existing.abandoned_at
    returning media_item_id as id`.execute(trx);
  return rows.map(({ id }) => id);
};

/**
 * Checks, in the transaction that inserts an item, that its objects are not being deleted.
 * @throws AppError UNAVAILABLE if the file must be sent again
 */
export const rejectAbandoned = async (trx: Database, id: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(prepared(trx, 'lock_abandoned'));
  const record = await prepared(trx, 'abandoned_item')
    .selectFrom('abandoned_items')
    .select('media_item_id')
    .where('media_item_id', '=', id)
    .executeTakeFirst();
  if (record === undefined) return;
  throw new AppError('UNAVAILABLE', 'the upload timed out; send it again', {
    retryAfterSeconds: 1,
  });
};

/** Deletes records older than `days`. By then, no insert of such an item can be pending. */
export const deleteAbandonedItems = async (trx: Database, days: number): Promise<void> => {
  await trx
    .deleteFrom('abandoned_items')
    .where('abandoned_at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
    .execute();
};

export const isFree = sql<boolean>`(claim_id is null or claimed_until < clock_timestamp())`;

/**
 * SQL condition that an upload with this id may still become an item: it is unfinished, and either not expired or
 * claimed. Housekeeping deletes expired, unclaimed uploads within the hour.
 */
export const canBecomeItem = (id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from uploads
  where uploads.id = ${id} and uploads.media_item_id is null and (uploads.expires_at > now() or not ${isFree}))`;
