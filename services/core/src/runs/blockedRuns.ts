import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Lets the runs go on that were blocked for want of what a worker can do, such as `decode image/jpeg`; answers how many these were. */
export const unblockRuns = async (db: Database, capabilities: readonly string[]): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('component_runs')
    .set({ state: 'PENDING', attempts: 0, blocked_on: null, reason: null, next_attempt_at: sql`now()` })
    .where('state', '=', 'BLOCKED')
    .where(sql<boolean>`blocked_on = any(${capabilities})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Whether any run is blocked for want of one of these capabilities. */
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

/** Lets one blocked run of each kind through, to find out whether what was missing has come. */
export const probeBlockedRuns = async (db: Database): Promise<number> => {
  const { numAffectedRows } = await sql`
    update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
    where (media_item_id, component) in (
      select distinct on (component, blocked_on) media_item_id, component
      from component_runs where state = 'BLOCKED' order by component, blocked_on)`.execute(db);
  return Number(numAffectedRows ?? 0);
};
