import { sql } from 'kysely';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { mayBecomeItem } from './uploadClaims.ts';

/*
 * [Note: Abandoned items] The orphan sweep removes originals that no row names, see [Note: Orphans]. It asks the database first and the store
 * afterwards, and may be frozen in between; an upload stores its object first and its row afterwards, and may be frozen too. No age of an
 * object and no lease makes that safe, since the store knows neither. So the sweep notes the item as abandoned before it removes its original,
 * and an item that is noted can no longer be inserted: of the two, whichever commits first wins, however long the other sleeps. An item that
 * was removed on purpose is noted too: an original that a power loss brings back is nobody's only copy.
 */

/** The lock that orders the two: an insert shares it, and the sweep, once a day, takes it alone. Any number that nobody else uses. */
const lock = 7_301_948_221;

/**
 * Rules out that there will ever be an item with any of these ids, and answers those for which it could: of the others there is one, or
 * an upload that may go on for days. Waits for inserts under way.
 */
export const abandonItems = async (trx: Database, ids: readonly string[]): Promise<string[]> => {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    insert into abandoned_items as noted (media_item_id)
    select wanted.id from unnest(${ids}::uuid[]) as wanted (id)
    where not exists (select from media_items where media_items.id = wanted.id)
      and not ${mayBecomeItem(sql`wanted.id`)}
    on conflict (media_item_id) do update set abandoned_at = noted.abandoned_at
    returning media_item_id as id`.execute(trx);
  return rows.map(({ id }) => id);
};

/**
 * Makes sure, within the transaction that inserts an item, that its objects are not being removed.
 * @throws AppError UNAVAILABLE: the file has to be sent again
 */
export const refuseAbandoned = async (trx: Database, id: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(prepared(trx, 'lock_abandoned'));
  const noted = await prepared(trx, 'abandoned_item')
    .selectFrom('abandoned_items')
    .select('media_item_id')
    .where('media_item_id', '=', id)
    .executeTakeFirst();
  if (noted === undefined) return;
  throw new AppError('UNAVAILABLE', 'the upload was held up for too long and has to be sent again', {
    retryAfterSeconds: 1,
  });
};

/** Forgets notes older than `days`: nobody can still be about to insert such an item. */
export const forgetAbandonedItems = async (trx: Database, days: number): Promise<void> => {
  await trx
    .deleteFrom('abandoned_items')
    .where('abandoned_at', '<', sql<Date>`now() - ${days} * interval '1 day'`)
    .execute();
};
