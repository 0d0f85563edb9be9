import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { redoRuns } from '../runs/retriedRuns.ts';

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
export const redoLostRuns = async (db: Database, id: string, isAllLost: boolean): Promise<boolean> => {
  const hasOutcome = sql`state in ('DONE', 'FAILED', 'SKIPPED') and reason is distinct from 'FEATURE_OFF'`;
  return (await redoRuns(db, [id], sql`(${hasFoundNone} or ${isAllLost}::boolean and ${hasOutcome})`)) > 0;
};
