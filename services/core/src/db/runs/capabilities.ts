import { sql } from 'kysely';
import { transaction, type Database } from '../connection/database.ts';

/**
 * Records what a worker can do, such as `decode image/jpeg`, and lets the runs go on that were blocked for want of it.
 * @returns how many runs those were
 */
export const recordCapabilities = async (db: Database, names: readonly string[]): Promise<number> =>
  transaction(db, async (trx) => {
    // In one order, so that two workers that start together cannot meet in a deadlock.
    await sql`
      insert into capabilities (name) select distinct unnest(${names}::text[]) order by 1
      on conflict (name) do update set recorded_at = now()`.execute(trx);
    const { numUpdatedRows } = await trx
      .updateTable('component_runs')
      .set({ state: 'PENDING', attempts: 0, blocked_on: null, reason: null, next_attempt_at: sql`now()` })
      .where('state', '=', 'BLOCKED')
      .where(sql<boolean>`blocked_on = any(${names})`)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });

/** Lets one blocked run of each kind through, to find out whether what was missing has come. */
export const probeBlockedRuns = async (db: Database): Promise<number> => {
  const { numAffectedRows } = await sql`
    update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
    where (media_item_id, component) in (
      select distinct on (component, blocked_on) media_item_id, component
      from component_runs where state = 'BLOCKED' order by component, blocked_on)`.execute(db);
  return Number(numAffectedRows ?? 0);
};
