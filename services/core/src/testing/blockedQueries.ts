import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Resolves when a query of this database whose text contains `part` waits for a lock, so that a test knows it has come that far.
 * @throws after half a minute in which none did
 */
export const untilBlocked = async (db: Database, part: string): Promise<void> => {
  for (let tries = 0; tries < 3_000; tries++) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position(${part} in query) > 0`.execute(db);
    if (rows.length > 0) return;
    await delay(10);
  }
  throw new Error(`no query with "${part}" waits for a lock`);
};
