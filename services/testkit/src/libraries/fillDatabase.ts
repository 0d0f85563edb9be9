import { rollUpCounts } from '@hearth/api/lists/counts.ts';
import { openDatabase, transaction, type Database } from '@hearth/core/db/database.ts';
import { queryOnce } from '../database/postgres.ts';
import { fillCollections } from './fillCollections.ts';
import { fillDuplicates } from './fillDuplicates.ts';
import { fillSearch, withoutSlowTriggers } from './fillSearch.ts';
import { fillSigns } from './fillSigns.ts';
import { fillLibrary, fillScans } from './fillLibrary.ts';

/** What a user's library shall hold: items of fifteen years, and scans that were all uploaded within one hour. */
export interface LibrarySize {
  readonly userId: string;
  readonly items: number;
  readonly scans?: number;
}

/** Deltas that are rolled up by one statement. */
const rollUpBatch = 50_000;

/** Fills a migrated database by SQL with the libraries of some of its users, as they are after the housekeeper has been through. */
export const fillDatabase = async (url: string, libraries: readonly LibrarySize[]): Promise<void> => {
  const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
  try {
    for (const { userId, items, scans = 0 } of libraries) {
      await withoutSlowTriggers(url, async () => {
        await fillLibrary(url, userId, items);
        if (scans > 0) await fillScans(url, userId, scans, 1);
        // A plan for a user of whom the statistics know nothing looks at every thing for every item.
        await queryOnce(url, 'analyze media_items');
        await fillCollections(url, userId, items + scans);
      });
      await fillSearch(url, userId);
      await fillSigns(url, userId);
      await fillDuplicates(url, userId);
      await rollUpAll(db);
    }
    // The library looks as if it had been there for a while: its events are forgotten.
    await queryOnce(url, 'truncate events');
    await queryOnce(url, 'vacuum analyze');
  } finally {
    await db.destroy();
  }
};

/** Rolls up every delta, as the housekeeper does in the seconds after a change. Where one runs beside, the two may meet in a deadlock: begun anew. */
export const rollUpAll = async (db: Database): Promise<void> => {
  while ((await transaction(db, (trx) => rollUpCounts(trx, rollUpBatch))) > 0);
};
