import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';
import { findPool } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';

/** Enqueues runs for which nobody waits, behind every upload. The sweeper enqueues later what the queue does not take now. */
export const enqueueRuns = async (
  { queues, log }: Pick<Deps, 'queues' | 'log'>,
  opened: readonly OpenedRun[],
): Promise<void> => {
  for (const [pool, runs] of Map.groupBy(opened, ({ component, type }) => findPool(component, type))) {
    if (pool === undefined) continue;
    const jobs = [...new Set(runs.map(({ mediaItemId }) => mediaItemId))].map((mediaItemId) => ({ mediaItemId }));
    await queues
      .enqueue(pool, jobs, 'library')
      .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will do it'));
  }
};
