import {
  collectionLists,
  deleteEmptyCollectionCounts,
  findCollectionCountErrors,
  listCollectionsInShares,
  mendCollectionTotals,
} from '@hearth/core/db/collectionCounts.ts';
import {
  deleteEmptyCounts,
  findCountErrors,
  libraryLists,
  listCountShares,
  mendTimeline,
} from '@hearth/core/db/counts.ts';
import { deleteLeftCells, divideHours, findCellErrors, findFullHours } from '@hearth/core/db/hourCells.ts';
import type { Lease } from '@hearth/core/db/leases.ts';
import { mapLevels } from '@hearth/core/db/mapCells.ts';
import { deleteEmptyMapCells, findMapCountErrors } from '@hearth/core/db/mapCounts.ts';
import { listUserIds } from '@hearth/core/db/users.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';

/**
 * Recounts every library, and says and mends where kept counts are wrong: nowhere, unless there is a fault. One account after another and each
 * of them in shares, so that no statement comes near its time-out, however large a library is.
 */
export const checkCounts = async (deps: Deps, lease: Lease, signal: AbortSignal): Promise<void> => {
  const { db, log } = deps;
  await underLease(db, lease, deleteEmptyCounts);
  await underLease(db, lease, deleteEmptyCollectionCounts);
  await underLease(db, lease, deleteEmptyMapCells);
  for (const userId of await listUserIds(db)) {
    if (signal.aborted) return;
    await checkLibrary(deps, lease, userId, signal);
  }
  await underLease(db, lease, deleteLeftCells);
  for (const lists of [libraryLists, collectionLists]) {
    const wrong = await findCellErrors(db, lists);
    // A replica of the version before, which knows of no cells, may have folded during an update.
    if (wrong.length > 0) log.warn({ hours: wrong }, 'cells of full hours differ from a recount and are made anew');
    const hours = [...wrong, ...(await findFullHours(db, lists))];
    for (const hour of hours) await underLease(db, lease, (trx) => divideHours(trx, [hour], lists));
  }
};

const checkLibrary = async ({ db, log }: Deps, lease: Lease, userId: string, signal: AbortSignal): Promise<void> => {
  const errors: unknown[] = [];
  for (const share of await listCountShares(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCountErrors(db, share)));
  }
  for (const collectionIds of await listCollectionsInShares(db, userId)) {
    if (signal.aborted) return;
    errors.push(...(await findCollectionCountErrors(db, collectionIds)));
  }
  for (const level of mapLevels) {
    if (signal.aborted) return;
    errors.push(...(await findMapCountErrors(db, { userId, level })));
  }
  if (errors.length > 0) log.error({ errors: errors.slice(0, 100) }, 'kept counts differ from a recount');
  const mended = await underLease(db, lease, (trx) => mendCollectionTotals(trx, userId));
  if (mended > 0) log.warn({ mended }, 'totals of collections differed from their counts');
  const timelines = await underLease(db, lease, (trx) => mendTimeline(trx, userId));
  if (timelines > 0)
    log.error({ mended: timelines }, 'counts of timelines differed from the counts that they are sums of');
};
