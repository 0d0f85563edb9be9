import { type Lease, underLease } from '../leases/leases.ts';
import { mayBeOutdated, restartOutdatedRuns } from './outdatedRuns.ts';
import { hasSwitchedOnRuns, restartSwitchedOnRuns } from './switchedOnRuns.ts';
import { components, type ComponentSpec } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';

/**
 * Outdated results are reprocessed only while the queue has fewer jobs than this: enough to stay busy, few enough for
 * uploads to overtake.
 */
const maxQueued = 200;

/**
 * Restarts runs that are outdated, or were skipped while their feature was off, in small batches and with lower
 * priority than uploads. If the queue loses their jobs, the sweep enqueues these runs again, because the database keeps
 * them due.
 */
export const restartOutdated = async (
  deps: Pick<Deps, 'db' | 'queues' | 'log'> & { readonly config: Pick<Deps['config'], 'featuresOff'> },
  lease: Lease,
): Promise<void> => {
  const { db, config, log } = deps;
  for (const component of components) {
    const isOutdated = await mayBeOutdated(db, component);
    if (!isOutdated && !(await hasSwitchedOnRuns(db, component, config.featuresOff))) continue;
    const capacity = maxQueued - (await getMaxDepth(deps, component));
    if (capacity <= 0) continue;
    const outdated = await underLease(db, lease, (trx) => restartOutdatedRuns(trx, component, capacity));
    const left = capacity - outdated.length;
    const switchedOn =
      left === 0
        ? []
        : await underLease(db, lease, (trx) => restartSwitchedOnRuns(trx, component, config.featuresOff, left));
    const runs = [...outdated, ...switchedOn];
    if (runs.length === 0) continue;
    log.info(
      { component: component.name, outdated: outdated.length, switchedOn: switchedOn.length },
      'reprocessing items at low priority',
    );
    await enqueueRuns(deps, runs);
  }
};

/** Returns the length of the longest queue of a component. */
const getMaxDepth = async ({ queues }: Pick<Deps, 'queues'>, { pools }: ComponentSpec): Promise<number> =>
  Math.max(...(await Promise.all(Object.values(pools).map(({ name }) => queues.depth(name)))));
