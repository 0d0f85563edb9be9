import {
  findCollectionCountErrors,
  listCollectionsInShares,
  mendCollectionTotals,
  type CollectionCountError,
} from '../db/collectionCounts.ts';
import { findCountErrors, listCountShares, mendTimeline, type CountError } from '../db/counts.ts';
import type { Database } from '../db/database.ts';
import { mapLevels } from '../db/mapCells.ts';
import { findMapCountErrors, type MapCountError } from '../db/mapCounts.ts';
import { listUserIds } from '../db/users.ts';

/** Where kept counts of libraries are wrong, of all users. */
export const findAllCountErrors = async (db: Database): Promise<CountError[]> =>
  ofAllUsers(db, async (userId) => {
    const errors: CountError[] = [];
    for (const share of await listCountShares(db, userId)) errors.push(...(await findCountErrors(db, share)));
    return errors;
  });

/** Where kept counts of collections are wrong, of all users. */
export const findAllCollectionCountErrors = async (db: Database): Promise<CollectionCountError[]> =>
  ofAllUsers(db, async (userId) => {
    const errors: CollectionCountError[] = [];
    for (const ids of await listCollectionsInShares(db, userId))
      errors.push(...(await findCollectionCountErrors(db, ids)));
    return errors;
  });

/** Where kept counts of maps are wrong, of all users. */
export const findAllMapCountErrors = async (db: Database): Promise<MapCountError[]> =>
  ofAllUsers(db, async (userId) => {
    const errors: MapCountError[] = [];
    for (const level of mapLevels) errors.push(...(await findMapCountErrors(db, { userId, level })));
    return errors;
  });

/** How many months of timelines, of all users, were wrong and are right now. */
export const mendAllTimelines = async (db: Database): Promise<number> =>
  (await ofAllUsers(db, async (userId) => [await mendTimeline(db, userId)])).reduce((sum, n) => sum + n, 0);

/** How many totals of collections, of all users, were wrong and are right now. */
export const mendAllCollectionTotals = async (db: Database): Promise<number> =>
  (await ofAllUsers(db, async (userId) => [await mendCollectionTotals(db, userId)])).reduce((sum, n) => sum + n, 0);

const ofAllUsers = async <Result>(db: Database, ask: (userId: string) => Promise<Result[]>): Promise<Result[]> => {
  const results: Result[] = [];
  for (const userId of await listUserIds(db)) results.push(...(await ask(userId)));
  return results;
};
