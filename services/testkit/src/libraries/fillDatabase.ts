import { rollUpCounts } from '@hearth/api/lists/counts.ts';
import { openDatabase, transaction, type Database } from '@hearth/core/db/database.ts';
import { queryOnce } from '../database/postgres.ts';
import { fillCollections } from './fillCollections.ts';
import { fillDuplicates } from './fillDuplicates.ts';
import { fillSearch, withoutSlowTriggers } from './fillSearch.ts';
import { fillSigns } from './fillSigns.ts';
import { fillLibrary, fillScans } from './fillLibrary.ts';

/** Contents of a user's library: items of fifteen years, and scans that were uploaded within one hour. */
export interface LibrarySize {
  readonly userId: string;
  readonly items: number;
  readonly scans?: number;
}

/** Number of deltas that one statement rolls up. */
const rollUpBatch = 50_000;

/** Fills a migrated database with libraries of users by SQL, in the state after the housekeeper has run. */
export const fillDatabase = async (url: string, libraries: readonly LibrarySize[]): Promise<void> => {
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  try {
    for (const { userId, items, scans = 0 } of libraries) {
      await withoutSlowTriggers(url, async () => {
        await fillLibrary(url, userId, items);
        if (scans > 0) await fillScans(url, userId, scans, 1);
        // Without statistics on this user, the planner would choose to scan all things for each item.
        await queryOnce(url, 'analyze media_items');
        await fillCollections(url, userId, items + scans);
      });
      await fillSearch(url, userId);
      await fillSigns(url, userId);
      await fillDuplicates(url, userId);
      await rollUpAll(db);
    }
    // Old libraries have no recent events.
    await queryOnce(url, 'truncate events');
    await queryOnce(url, 'vacuum analyze');
  } finally {
    await db.destroy();
  }
};

/** Rolls up all deltas, like the housekeeper seconds after a change. Retries after a deadlock with a running housekeeper. */
export const rollUpAll = async (db: Database): Promise<void> => {
  while ((await transaction(db, (trx) => rollUpCounts(trx, rollUpBatch))) > 0);
};
