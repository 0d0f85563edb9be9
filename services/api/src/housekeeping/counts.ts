import type { Database } from '@hearth/core/db/database.ts';
import { deleteEmptyCounts, rollUpCounts, hasDeltas } from '../lists/counts.ts';
import {
  findCollectionCountErrors,
  findCountErrors,
  listCollectionBatches,
  listRecountBatches,
} from '../lists/recount.ts';
import { deleteBatchSize } from '../database/deleteBatch.ts';
import { type Lease, underLease } from './leases/leases.ts';
import { mapLevels } from '../features/places/mapCells.ts';
import { deleteEmptyMapCells, findMapCountErrors, rollUpMapCounts } from '../features/places/mapCounts.ts';
import { listUserIds } from '../accounts/users.ts';
import type { Deps } from '../deps/deps.ts';
import { rollUpStorage } from '../accounts/quotas.ts';

/**
 * Deletes counts of zero, then recounts every library and logs wrong counts, which only a bug can cause. Uses several
 * statements per account, so that each stays far below the statement timeout. Stops between two statements when
 * `signal` is aborted.
 */
export const checkCounts = async (deps: Deps, lease: Lease, signal: AbortSignal): Promise<void> => {
  for (const tidy of [deleteEmptyCounts, deleteEmptyMapCells]) {
    let deleted: number;
    do {
      if (signal.aborted) return;
      deleted = await underLease(deps.db, lease, (trx) => tidy(trx, deleteBatchSize));
    } while (deleted === deleteBatchSize);
  }
  for (const userId of await listUserIds(deps.db)) await checkLibrary(deps, userId, signal);
};

const checkLibrary = async ({ db, log }: Deps, userId: string, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  const errors: unknown[] = [];
  for (const batch of await listRecountBatches(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCountErrors(db, batch)));
  }
  for (const collectionIds of await listCollectionBatches(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCollectionCountErrors(db, userId, collectionIds)));
  }
  for (const level of mapLevels) {
    if (signal.aborted) return;
    errors.push(...(await findMapCountErrors(db, { userId, level })));
  }
  if (errors.length > 0) log.error({ errors: errors.slice(0, 100) }, 'stored counts differ from a recount');
};

/** Deltas per transaction, about 50 ms of work. */
const rollUpBatch = 5_000;

/** Rolls up all pending deltas of list counts, map counts and storage usage. */
export const rollUpAllCounts = async ({ db }: Pick<Deps, 'db'>, lease: Lease): Promise<void> => {
  await rollUpAll(db, lease, 'count_deltas', rollUpCounts);
  await rollUpAll(db, lease, 'map_deltas', rollUpMapCounts);
  await rollUpAll(db, lease, 'user_storage_deltas', rollUpStorage);
};

const rollUpAll = async (
  db: Database,
  lease: Lease,
  table: Parameters<typeof hasDeltas>[1],
  rollUp: (trx: Database, limit: number) => Promise<number>,
): Promise<void> => {
  if (!(await hasDeltas(db, table))) return;
  let rolledUp: number;
  do {
    rolledUp = await underLease(db, lease, (trx) => rollUp(trx, rollUpBatch));
  } while (rolledUp === rollUpBatch);
};
