import { sql, type RawBuilder } from 'kysely';
import { abandonItems, canBecomeItem } from '../../ingest/abandonedItems.ts';
import type { Database } from '@hearth/core/db/database.ts';

/*
 * [Note: Orphans] An orphan is an original without a row: left over from an interrupted upload, or someone's only copy.
 *
 * It is the only copy if it was uploaded after the backup from which the database was restored. Nothing distinguishes
 * the two cases. So an original is deleted at once only if its item or user was removed on purpose. Any other is
 * recorded when first seen, and deleted once every sweep of `orphanDays` has seen it. Until then `npm run orphans` can
 * adopt it.
 */

/**
 * Days to keep an original after it was first seen without a row: long enough to notice missing photos after a restore.
 */
export const orphanDays = 30;

/**
 * Days without a sweep after which the waiting period restarts: while Hearth was stopped, no one was notified of the
 * orphan. Sweeps run daily, and retry within an hour after a failure.
 */
const maxUnseenDays = 3;

export interface Orphan {
  readonly userId: string;
  readonly mediaItemId: string;
  readonly sizeBytes: number;
}

export interface ListedOrphan extends Orphan {
  /** Account name. Null if the account does not exist, as after a restore. */
  readonly username: string | null;
  /** First sweep that saw the orphan. Null if none has yet. */
  readonly firstSeenAt: Date | null;
}

/**
 * Returns the `ids` that belong neither to an item nor to an upload that may become one. No row will ever reference
 * their objects.
 */
export const listLostItems = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::uuid[]) as wanted (id) where ${isLost(sql`wanted.id`)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
};

/** Returns the `originals` that are orphans and were not deleted on purpose. */
export const listOrphans = async (db: Database, originals: readonly Orphan[]): Promise<ListedOrphan[]> => {
  const { rows } = await sql<ListedOrphan>`
    select found.user_id as "userId", found.media_item_id as "mediaItemId", found.size_bytes as "sizeBytes", users.username,
      orphans.first_seen_at as "firstSeenAt"
    from ${toRows(originals)}
    left join users on users.id = found.user_id
    left join orphans using (user_id, media_item_id)
    where ${isLost(sql`found.media_item_id`)} and not ${isRemovedOnPurpose}`.execute(db);
  return rows;
};

/**
 * Records the orphans among `originals`. Returns the ids of orphans whose originals may be deleted now. No item will
 * ever get one of these ids, see [Note: Abandoned items].
 */
export const recordOrphans = async (trx: Database, originals: readonly Orphan[]): Promise<string[]> => {
  if (originals.length === 0) return [];
  await sql`
    insert into orphans (user_id, media_item_id, size_bytes)
    select found.user_id, found.media_item_id, found.size_bytes from ${toRows(originals)}
    where ${isLost(sql`found.media_item_id`)} and not ${isRemovedOnPurpose}
    order by 1, 2
    on conflict (user_id, media_item_id) do update set last_seen_at = now(), size_bytes = excluded.size_bytes,
      first_seen_at = case
        when orphans.last_seen_at < now() - ${maxUnseenDays} * interval '1 day' then now() else orphans.first_seen_at
      end`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select found.media_item_id as id from ${toRows(originals)} left join orphans using (user_id, media_item_id)
    where ${isLost(sql`found.media_item_id`)}
      and (${isRemovedOnPurpose} or orphans.first_seen_at <= now() - ${orphanDays} * interval '1 day')`.execute(trx);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : releaseOrphans(trx, ids);
};

/**
 * Prevents these orphans from becoming items under their own ids, and deletes their records. Returns the ids whose
 * originals may be deleted.
 */
export const releaseOrphans = async (trx: Database, ids: readonly string[]): Promise<string[]> => {
  const released = await abandonItems(trx, ids);
  await sql`delete from orphans where media_item_id = any(${released}::uuid[])`.execute(trx);
  return released;
};

/**
 * Deletes records of orphans that a full sweep since `startedAt` (database time) has not seen: their originals are gone
 * or have a row again.
 */
export const deleteUnseenOrphans = async (trx: Database, startedAt: Date): Promise<void> => {
  await trx.deleteFrom('orphans').where('last_seen_at', '<', startedAt).execute();
};

export interface OrphanSummary {
  readonly count: number;
  readonly bytes: number;
  /** Null without orphans. */
  readonly oldestSeenAt: Date | null;
}

export const summariseOrphans = async (db: Database): Promise<OrphanSummary> => {
  const { rows } = await sql<OrphanSummary>`
    select count(*) as count, coalesce(sum(size_bytes), 0)::bigint as bytes, min(first_seen_at) as "oldestSeenAt" from orphans`.execute(
    db,
  );
  return rows[0]!;
};

/** Returns the database's current time, which is also the clock of `first_seen_at` and `last_seen_at`. */
export const databaseTime = async (db: Database): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
};

const isLost = (id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  not exists (select from media_items where media_items.id = ${id})
  and not ${canBecomeItem(id)})`;

const isRemovedOnPurpose = sql<boolean>`(
  exists (select from abandoned_items as abandoned where abandoned.media_item_id = found.media_item_id)
  or exists (select from removed_users where removed_users.user_id = found.user_id)
  or exists (select from users where users.id = found.user_id and users.removing_at is not null))`;

const toRows = (originals: readonly Orphan[]): RawBuilder<unknown> => sql`unnest(
  ${originals.map(({ userId }) => userId)}::uuid[], ${originals.map(({ mediaItemId }) => mediaItemId)}::uuid[],
  ${originals.map(({ sizeBytes }) => sizeBytes)}::bigint[]) as found (user_id, media_item_id, size_bytes)`;
