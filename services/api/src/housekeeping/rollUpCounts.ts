import { rollUpCounts, hasDeltas } from '../lists/counts.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { type Lease, underLease } from './leases/leases.ts';
import { rollUpMapCounts } from '../features/places/mapCounts.ts';
import { rollUpStorage } from '../accounts/quotas.ts';
import type { Deps } from '../deps/deps.ts';

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
