import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Inserts many events of a user's library, each about a missing item. */
export const insertManyEvents = async (db: Database, userId: string, count: number): Promise<void> => {
  await sql`
    insert into events (user_id, kind, subject_id, change)
    select ${userId}, 'mediaItem', gen_random_uuid(), 'removed' from generate_series(1, ${count}::int)`.execute(db);
};
