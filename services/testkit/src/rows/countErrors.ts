import type { Database } from '@hearth/core/db/database.ts';
import {
  findCollectionCountErrors,
  findCountErrors,
  listCollectionBatches,
  listRecountBatches,
  type CountError,
} from '@hearth/api/lists/recount.ts';
import { mapLevels } from '@hearth/api/features/places/mapCells.ts';
import { findMapCountErrors, type MapCountError } from '@hearth/api/features/places/mapCounts.ts';
import { listUserIds } from '@hearth/api/accounts/users.ts';

/** Returns the incorrect library counts of all users. */
export const findAllCountErrors = async (db: Database): Promise<CountError[]> =>
  findForAllUsers(db, async (userId) => {
    const errors: CountError[] = [];
    for (const share of await listRecountBatches(db, userId)) errors.push(...(await findCountErrors(db, share)));
    return errors;
  });

/** Returns the incorrect collection counts of all users. */
export const findAllCollectionCountErrors = async (db: Database): Promise<CountError[]> =>
  findForAllUsers(db, async (userId) => {
    const errors: CountError[] = [];
    for (const ids of await listCollectionBatches(db, userId))
      errors.push(...(await findCollectionCountErrors(db, userId, ids)));
    return errors;
  });

/** Returns the incorrect map counts of all users. */
export const findAllMapCountErrors = async (db: Database): Promise<MapCountError[]> =>
  findForAllUsers(db, async (userId) => {
    const errors: MapCountError[] = [];
    for (const level of mapLevels) errors.push(...(await findMapCountErrors(db, { userId, level })));
    return errors;
  });

const findForAllUsers = async <Result>(
  db: Database,
  find: (userId: string) => Promise<Result[]>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const userId of await listUserIds(db)) results.push(...(await find(userId)));
  return results;
};
