import {
  collectionLists,
  deleteEmptyCollectionCounts,
  findCollectionCountErrors,
  listCollectionsInShares,
  mendCollectionTotals,
} from '@hearth/core/db/collections/collectionCounts.ts';
import {
  deleteEmptyCounts,
  findCountErrors,
  libraryLists,
  listCountShares,
  mendTimeline,
} from '@hearth/core/db/lists/counts.ts';
import { deletedAtOnce } from '@hearth/core/db/connection/deleteSome.ts';
import {
  deleteLeftCells,
  divideHours,
  findCellErrors,
  findFullHours,
  lockCells,
  type CountedLists,
} from '@hearth/core/db/lists/hourCells.ts';
import type { Lease } from '@hearth/core/db/connection/leases.ts';
import { mapLevels } from '@hearth/core/db/explore/mapCells.ts';
import { deleteEmptyMapCells, findMapCountErrors } from '@hearth/core/db/explore/mapCounts.ts';
import { listUserIds } from '@hearth/core/db/accounts/users.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';

/**
 * Recounts every library, and says and mends where kept counts are wrong: nowhere, unless there is a fault. One account after another and each
 * of them in shares, so that no statement comes near its time-out, however large a library is, and it ends between two of them when it is told to.
 */
export const checkCounts = async (deps: Deps, lease: Lease, signal: AbortSignal): Promise<void> => {
  for (const tidy of [deleteEmptyCounts, deleteEmptyCollectionCounts, deleteEmptyMapCells, deleteLeftCells]) {
    let deleted: number;
    do {
      if (signal.aborted) return;
      deleted = await underLease(deps.db, lease, async (trx) => {
        // Beside a fold, which writes the same rows in another order, each would wait for the other.
        await lockCells(trx);
        return tidy(trx, deletedAtOnce);
      });
    } while (deleted === deletedAtOnce);
  }
  for (const userId of await listUserIds(deps.db)) await checkLibrary(deps, lease, userId, signal);
};

const checkLibrary = async (deps: Deps, lease: Lease, userId: string, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  const { db, log } = deps;
  const errors: unknown[] = [];
  for (const share of await listCountShares(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCountErrors(db, share)));
  }
  await checkCells(deps, lease, signal, libraryLists, [userId]);
  let mended = 0;
  for (const collectionIds of await listCollectionsInShares(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCollectionCountErrors(db, collectionIds)));
    mended += await underLease(db, lease, (trx) => mendCollectionTotals(trx, collectionIds));
    await checkCells(deps, lease, signal, collectionLists, collectionIds);
  }
  for (const level of mapLevels) {
    if (signal.aborted) return;
    errors.push(...(await findMapCountErrors(db, { userId, level })));
  }
  if (errors.length > 0) log.error({ errors: errors.slice(0, 100) }, 'kept counts differ from a recount');
  if (mended > 0) log.warn({ mended }, 'totals of collections differed from their counts');
  if (signal.aborted) return;
  const timelines = await underLease(db, lease, (trx) => mendTimeline(trx, userId));
  if (timelines > 0)
    log.error({ mended: timelines }, 'counts of timelines differed from the counts that they are sums of');
};

const checkCells = async (
  { db, log }: Deps,
  lease: Lease,
  signal: AbortSignal,
  lists: CountedLists,
  listIds: readonly string[],
): Promise<void> => {
  if (signal.aborted) return;
  const wrong = await findCellErrors(db, lists, listIds);
  // A replica of the version before, which knows of no cells, may have folded during an update.
  if (wrong.length > 0) log.warn({ hours: wrong }, 'cells of full hours differ from a recount and are made anew');
  for (const hour of [...wrong, ...(await findFullHours(db, lists, listIds))]) {
    if (signal.aborted) return;
    await underLease(db, lease, async (trx) => {
      await lockCells(trx);
      await divideHours(trx, [hour], lists);
    });
  }
};
