import {
  findCollectionCountErrors,
  listCollectionsInShares,
  mendCollectionTotals,
  type CollectionCountError,
} from '../db/collections/collectionCounts.ts';
import { findCountErrors, libraryLists, listCountShares, mendTimeline, type CountError } from '../db/lists/counts.ts';
import type { Database } from '../db/connection/database.ts';
import { findCellErrors, findFullHours, type CountedLists, type FullHour } from '../db/lists/hourCells.ts';
import { mapLevels } from '../db/explore/mapCells.ts';
import { findMapCountErrors, type MapCountError } from '../db/explore/mapCounts.ts';
import { listUserIds } from '../db/accounts/users.ts';

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
  (
    await ofAllUsers(db, async (userId) =>
      Promise.all((await listCollectionsInShares(db, userId)).map(async (ids) => mendCollectionTotals(db, ids))),
    )
  ).reduce((sum, n) => sum + n, 0);

/** Where cells of full hours are wrong, of all lists. */
export const findAllCellErrors = async (db: Database, lists: CountedLists): Promise<FullHour[]> =>
  ofAllLists(db, lists, (ids) => findCellErrors(db, lists, ids));

/** Full hours that are not divided, of all lists. */
export const findAllFullHours = async (db: Database, lists: CountedLists): Promise<FullHour[]> =>
  ofAllLists(db, lists, (ids) => findFullHours(db, lists, ids));

const ofAllLists = async <Result>(
  db: Database,
  lists: CountedLists,
  ask: (listIds: readonly string[]) => Promise<Result[]>,
): Promise<Result[]> =>
  ofAllUsers(db, async (userId) => {
    if (lists === libraryLists) return ask([userId]);
    return (await Promise.all((await listCollectionsInShares(db, userId)).map(ask))).flat();
  });

const ofAllUsers = async <Result>(db: Database, ask: (userId: string) => Promise<Result[]>): Promise<Result[]> => {
  const results: Result[] = [];
  for (const userId of await listUserIds(db)) results.push(...(await ask(userId)));
  return results;
};
