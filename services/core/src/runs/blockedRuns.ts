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

/** Makes one blocked run of each kind due, to probe for the missing capability. Returns their number. */
export const probeBlockedRuns = async (db: Database): Promise<number> => {
  const { numAffectedRows } = await sql`
    update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
    where (media_item_id, component) in (
      select distinct on (component, blocked_on) media_item_id, component
      from component_runs where state = 'BLOCKED' order by component, blocked_on)`.execute(db);
  return Number(numAffectedRows ?? 0);
};
