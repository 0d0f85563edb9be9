import { type Lease, underLease } from '../leases/leases.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';
import { failCrashedRuns, hasCrashedRuns, listDueItems } from './dueRuns.ts';

/** Maximum queue length. A longer queue would only lose more jobs in an outage. */
const maxQueued = 2_000;

/**
 * Enqueues due runs from the database up to the queue limit, so that no work is lost with the queue. Fails runs whose
 * last attempt never ended. Concurrent sweeps enqueue the same jobs under the same ids.
 */
export const sweep = async (deps: Pick<Deps, 'db' | 'queues' | 'log'>, lease: Lease): Promise<void> => {
  if (await hasCrashedRuns(deps.db)) {
    const runs = await underLease(deps.db, lease, failCrashedRuns);
    deps.log.warn({ runs }, 'failed runs that lost their worker at every attempt');
  }
  for (const pool of poolNames) {
    await deps.queues.declare(pool);
    const depth = await deps.queues.depth(pool);
    metrics.queueDepth.set({ pool }, depth);
    const capacity = maxQueued - depth;
    if (capacity <= 0) continue;
    const due = await listDueItems(deps.db, pool, capacity);
    for (const isReady of [false, true]) {
      const jobs = due
        .filter((item) => item.isReady === isReady)
        .map(({ id, userId }) => ({ mediaItemId: id, ownerId: userId }));
      if (jobs.length > 0) await deps.queues.enqueue(pool, jobs, isReady ? 'library' : 'upload', { mayBeQueued: true });
    }
  }
};
