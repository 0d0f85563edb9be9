import { transaction, type Database } from '@hearth/core/db/database.ts';
import { holdLease, type Lease } from './leases.ts';

/**
 * Runs `work` in a transaction that commits only if this process still holds the lease.
 * @throws LeaseLostError
 */
export const underLease = async <Result>(
  db: Database,
  lease: Lease,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> =>
  transaction(db, async (trx) => {
    await holdLease(trx, lease);
    return work(trx);
  });
