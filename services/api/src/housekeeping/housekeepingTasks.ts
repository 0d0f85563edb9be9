import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** When each task was last finished; one that never was is not named. */
export const listFinishedTasks = async (db: Database): Promise<Map<string, Date>> => {
  const rows = await db.selectFrom('housekeeping_tasks').selectAll().execute();
  return new Map(rows.map((row) => [row.name, row.finished_at]));
};

export const recordFinishedTask = async (db: Database, name: string): Promise<void> => {
  await db
    .insertInto('housekeeping_tasks')
    .values({ name, finished_at: sql<Date>`now()` })
    .onConflict((on) => on.column('name').doUpdateSet({ finished_at: sql<Date>`now()` }))
    .execute();
};
