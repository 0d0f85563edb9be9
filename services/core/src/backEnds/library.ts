import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Returns the library's id, which the marker in its object store repeats. */
export const readLibraryId = async (db: Database): Promise<string> =>
  (await db.selectFrom('library').select('id').executeTakeFirstOrThrow()).id;

/** Returns at most `count` random items. Reads the whole table: use it for rare checks only. */
export const sampleItems = async (
  db: Database,
  count: number,
): Promise<{ readonly userId: string; readonly id: string }[]> =>
  db
    .selectFrom('media_items')
    .select(['user_id as userId', 'id'])
    .orderBy(sql`random()`)
    .limit(count)
    .execute();
