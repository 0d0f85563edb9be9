import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Makes runs due that were blocked on a capability of a worker, such as `decode image/jpeg`. Returns their number. */
export const unblockRuns = async (db: Database, capabilities: readonly string[]): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('component_runs')
    .set({ state: 'PENDING', attempts: 0, blocked_on: null, reason: null, next_attempt_at: sql`now()` })
    .where('state', '=', 'BLOCKED')
    .where(sql<boolean>`blocked_on = any(${capabilities})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Returns true if a run is blocked on one of these capabilities. */
export const isAnyBlocked = async (db: Database, capabilities: readonly string[]): Promise<boolean> => {
  const run = await db
    .selectFrom('component_runs')
    .select('media_item_id')
    .where('state', '=', 'BLOCKED')
    .where(sql<boolean>`blocked_on = any(${capabilities})`)
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
};
