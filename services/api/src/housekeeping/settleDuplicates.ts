import { findUnsettled, settleMore } from '@hearth/core/duplicates/settlePictures.ts';
import { type Lease, underLease } from './leases/leases.ts';
import type { Deps } from '../deps/deps.ts';

/** Photos settled in one transaction: about a second, in which the uploads of their owner wait. */
const batch = 300;

/** Transactions of one run of the task, so that others of the lane have their turn. */
const maxSteps = 50;

/** Puts photos into their groups of duplicates that were too many to be so with the one that changed their groups. */
export const settleDuplicates = async ({ db }: Pick<Deps, 'db'>, lease: Lease, signal?: AbortSignal): Promise<void> => {
  for (let step = 0; step < maxSteps; step += 1) {
    const userId = await findUnsettled(db);
    if (userId === undefined || signal?.aborted === true) return;
    await underLease(db, lease, (trx) => settleMore(trx, userId, batch));
  }
};
