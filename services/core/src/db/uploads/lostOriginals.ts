import { sql } from 'kysely';
import { transaction, type Database } from '../connection/database.ts';
import { updateStatus } from '../runs/itemStatus.ts';

/** A run that found no original says so by its reason, whether it is tried again or has failed. */
const hasFoundNone = sql<boolean>`reason = 'ORIGINAL_MISSING' and state in ('PENDING', 'FAILED')`;

export const listItemsFoundLost = async (db: Database, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct media_item_id as id from component_runs
    where media_item_id = any(${ids}::uuid[]) and ${hasFoundNone}`.execute(db);
  return rows.map(({ id }) => id);
};

/**
 * Makes the runs of an item due that have found no original; and where `isAllLost` all its runs that have an outcome, since what was made of an
 * original goes with it. Answers whether there were any.
 */
export const redoLostRuns = async (db: Database, id: string, isAllLost: boolean): Promise<boolean> =>
  transaction(db, async (trx) => {
    // The item before its runs, as everywhere.
    await sql`select from media_items where id = ${id} for update`.execute(trx);
    const { numAffectedRows = 0n } = await sql`
      update component_runs set state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
      where media_item_id = ${id} and (${hasFoundNone}
        or ${isAllLost}::boolean and state in ('DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF')`.execute(
      trx,
    );
    if (numAffectedRows === 0n) return false;
    await updateStatus(trx, id);
    return true;
  });
