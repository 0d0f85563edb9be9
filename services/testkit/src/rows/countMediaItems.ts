import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemFilter } from '@hearth/api/lists/counts.ts';
import { listMediaItems } from '@hearth/api/lists/mediaItemLists.ts';

/** How many of a user's items there are by the kept counts. */
export const countMediaItems = async (db: Database, userId: string, filter: MediaItemFilter): Promise<number> =>
  (await listMediaItems(db, userId, filter, { limit: 1, start: { number: 1 } })).totalCount;
