import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';
import { findPool } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';

/** Enqueues runs with lower priority than uploads. If the queue fails, the next sweep enqueues them. */
export const enqueueRuns = async (
  { queues, log }: Pick<Deps, 'queues' | 'log'>,
  opened: readonly OpenedRun[],
): Promise<void> => {
  for (const [pool, runs] of Map.groupBy(opened, ({ component, type }) => findPool(component, type))) {
    if (pool === undefined) continue;
    const jobs = [...new Set(runs.map(({ mediaItemId }) => mediaItemId))].map((mediaItemId) => ({ mediaItemId }));
    await queues
      .enqueue(pool, jobs, 'library')
      .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will enqueue it'));
  }
};
