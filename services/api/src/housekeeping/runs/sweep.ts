import { failCrashedRuns, hasCrashedRuns, listDueItems } from '@hearth/core/runs/dueRuns.ts';
import { type Lease, underLease } from '../leases/leases.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';

/** The sweeper adds nothing to a queue with this many jobs: more would only be lost with the queue. */
const maxQueued = 2_000;

/**
 * The safety net: enqueues all work that is due by the database, so that losing the queue loses no work. Fails runs whose last attempt
 * began and never ended. When two sweeps run at once, they enqueue the same jobs under the same ids.
 */
export const sweep = async (deps: Pick<Deps, 'db' | 'queues' | 'log'>, lease: Lease): Promise<void> => {
  if (await hasCrashedRuns(deps.db)) {
    const runs = await underLease(deps.db, lease, failCrashedRuns);
    deps.log.warn({ runs }, 'failed runs whose workers vanished at every attempt');
  }
  for (const pool of poolNames) {
    await deps.queues.declare(pool);
    const depth = await deps.queues.depth(pool);
    metrics.queueDepth.set({ pool }, depth);
    const room = maxQueued - depth;
    if (room <= 0) continue;
    const due = await listDueItems(deps.db, pool, room);
    for (const isReady of [false, true]) {
      const jobs = due
        .filter((item) => item.isReady === isReady)
        .map(({ id, userId }) => ({ mediaItemId: id, ownerId: userId }));
      if (jobs.length > 0) await deps.queues.enqueue(pool, jobs, isReady ? 'library' : 'upload', { isAnew: true });
    }
  }
};
