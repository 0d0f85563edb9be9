import { sql, type RawBuilder } from 'kysely';
import type { Reason } from '@hearth/contract/reasons.ts';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { transaction, type Database } from '../db/database.ts';
import { updateStatus } from './itemStatus.ts';

export interface FailureFilter {
  readonly component?: ComponentName | undefined;
  readonly reason?: Reason | undefined;
}

/** Items per transaction, which locks their rows for about 0.2 s. */
const itemsAtOnce = 100;

/**
 * Makes failed runs of at most `limit` of a user's items due again, with all attempts. Returns the number of items and
 * if no more are left. The sweeper enqueues them. An item that was `FAILED` because of such a run becomes `PROCESSING`;
 * a READY one stays READY.
 */
export const retryFailedRuns = async (
  db: Database,
  userId: string,
  { component, reason }: FailureFilter,
  limit: number,
): Promise<{ readonly retried: number; readonly isComplete: boolean }> => {
  const isMeant = sql<boolean>`
    user_id = ${userId} and state = 'FAILED'
    ${component === undefined ? sql`` : sql`and component = ${component}`}
    ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`;
  const { rows } = await sql<{ id: string }>`
    select distinct media_item_id as id from component_runs where ${isMeant} order by id limit ${limit + 1}`.execute(
    db,
  );
  const ids = rows.slice(0, limit).map(({ id }) => id);
  let retried = 0;
  for (let first = 0; first < ids.length; first += itemsAtOnce)
    retried += await redoRuns(db, ids.slice(first, first + itemsAtOnce), isMeant);
  return { retried, isComplete: rows.length <= limit };
};

/** Makes the runs that fulfil a condition due again, with all attempts. Returns the number of items. */
export const redoRuns = async (db: Database, ids: readonly string[], isMeant: RawBuilder<boolean>): Promise<number> =>
  transaction(db, async (trx) => {
    // Items before runs and ordered by id, as everywhere, to avoid deadlocks.
    const { rows: items } = await sql<{ id: string }>`
      select id from media_items
      where id = any(${ids}::uuid[]) and removing_at is null order by id for update`.execute(trx);
    const { rows: changed } = await sql<{ id: string }>`
      update component_runs set state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now(),
        claim_id = null, lease_until = null, progress = null
      where media_item_id = any(${items.map(({ id }) => id)}::uuid[]) and ${isMeant}
      returning media_item_id as id`.execute(trx);
    const retried = new Set(changed.map(({ id }) => id));
    for (const id of retried) await updateStatus(trx, id);
    return retried.size;
  });
