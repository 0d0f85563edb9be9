import type { Lease } from '@hearth/core/db/connection/leases.ts';
import { mayBeOutdated, redoOutdatedRuns } from '@hearth/core/db/runs/outdatedRuns.ts';
import { poolNames } from '@hearth/core/pipeline.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';

/** Jobs of one pool in the queue up to which old results are made anew: enough for a while, and few to be passed by uploads. */
const maxQueued = 200;

/**
 * Makes results anew that an earlier version of their component has made, a few at a time and behind every upload. Once begun this goes on
 * without the queue too: what is due is in the database.
 */
export const redoOutdated = async (deps: Pick<Deps, 'db' | 'queues' | 'log'>, lease: Lease): Promise<void> => {
  for (const pool of poolNames) {
    if (!(await mayBeOutdated(deps.db, pool))) continue;
    const room = maxQueued - (await deps.queues.depth(pool));
    if (room <= 0) continue;
    const ids = await underLease(deps.db, lease, (trx) => redoOutdatedRuns(trx, pool, room));
    if (ids.length === 0) continue;
    deps.log.info({ pool, items: ids.length }, 'results of earlier versions are made anew');
    await deps.queues.enqueue(
      pool,
      ids.map((mediaItemId) => ({ mediaItemId })),
      'library',
    );
  }
};
