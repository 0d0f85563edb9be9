import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** Runs that wait to be recorded as blocked. */
export interface HeldRuns {
  /** Lets the runs be recorded. */
  readonly release: () => void;
  /** Lets the runs be recorded, and removes the trigger. */
  readonly end: () => Promise<void>;
}

/** An arbitrary advisory lock, in the test's own database. */
const lock = sql`pg_advisory_xact_lock(${sql.lit(700)})`;

/** Prevents runs from being recorded as blocked in this database until they are released. */
export const holdBlockedRuns = async (db: Database): Promise<HeldRuns> => {
  await sql`
    create function hold_blocked_runs() returns trigger language plpgsql as $$
    begin perform ${lock}; return new; end $$`.execute(db);
  await sql`
    create trigger hold_blocked_runs before update on component_runs
    for each row when (new.state = 'BLOCKED') execute function hold_blocked_runs()`.execute(db);
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = transaction(db, async (trx) => {
    await sql`select ${lock}`.execute(trx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return {
    release: () => released.resolve(),
    end: async () => {
      released.resolve();
      await holding;
      await sql`drop function hold_blocked_runs cascade`.execute(db);
    },
  };
};
