import { foldCounts, hasDeltas } from '@hearth/core/db/lists/counts.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';
import type { Lease } from '@hearth/core/db/connection/leases.ts';
import { foldMapCounts } from '@hearth/core/db/explore/mapCounts.ts';
import { foldStorage } from '@hearth/core/db/accounts/quotas.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';

/** Deltas folded in one transaction: about 50 ms of work. */
const foldBatch = 5_000;

/** Folds (rolls up) all waiting deltas into the counts of lists and maps, and into the bytes that accounts use. */
export const foldAllCounts = async ({ db }: Pick<Deps, 'db'>, lease: Lease): Promise<void> => {
  await foldAll(db, lease, 'count_deltas', foldCounts);
  await foldAll(db, lease, 'map_deltas', foldMapCounts);
  await foldAll(db, lease, 'user_storage_deltas', foldStorage);
};

const foldAll = async (
  db: Database,
  lease: Lease,
  table: Parameters<typeof hasDeltas>[1],
  fold: (trx: Database, limit: number) => Promise<number>,
): Promise<void> => {
  if (!(await hasDeltas(db, table))) return;
  let folded: number;
  do {
    folded = await underLease(db, lease, (trx) => fold(trx, foldBatch));
  } while (folded === foldBatch);
};
