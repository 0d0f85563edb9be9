import type { Database } from '../db/connection/database.ts';
import type { MediaItemFilter } from '../db/lists/counts.ts';
import { listMediaItems } from '../db/lists/mediaItemLists.ts';

/** How many of a user's items there are by the kept counts. */
export const countMediaItems = async (db: Database, userId: string, filter: MediaItemFilter): Promise<number> =>
  (await listMediaItems(db, userId, filter, { limit: 1, start: { number: 1 } })).totalCount;
