import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/**
 * Resolves when a query of this database that contains `part` waits for a lock.
 * @throws Error if there is none within `seconds`
 */
export const waitUntilBlocked = async (db: Database, part: string, seconds = 120): Promise<void> => {
  for (let tries = 0; tries < seconds * 100; tries++) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position(${part} in query) > 0`.execute(db);
    if (rows.length > 0) return;
    await delay(10);
  }
  throw new Error(`no query with "${part}" waits for a lock`);
};

/** Returns the number of queries of this database that contain `part` and wait for a lock. */
export const countBlocked = async (db: Database, part = ''): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and position(${part} in query) > 0`.execute(db);
  return rows[0]!.n;
};

/** Returns the number of connections of this database that are idle in a transaction. */
export const countIdleTransactions = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(db);
  return rows[0]!.n;
};

/** Blocks reads and writes of these tables by other transactions until the end of this one. */
export const lockTables = async (trx: Database, names: readonly string[]): Promise<void> => {
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access exclusive mode`.execute(trx);
};

/** Disables the timeout of idle transactions for this transaction. */
export const allowIdleTransaction = async (trx: Database): Promise<void> => {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
};

/** Blocks all searches while `work` runs, by locking tables that searches read. */
export const withBlockedSearches = async (
  { db }: { readonly db: Database },
  work: () => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockTables(trx, ['search_words', 'answering_models']);
    await work();
  });
