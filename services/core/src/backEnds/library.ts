import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The id of the library, which its object store carries in a marker. */
export const readLibraryId = async (db: Database): Promise<string> =>
  (await db.selectFrom('library').select('id').executeTakeFirstOrThrow()).id;

/** The ids of at most `count` random items with those of their users. Reads the whole table: for rare checks. */
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
