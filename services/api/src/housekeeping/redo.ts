import type { Lease } from '@hearth/core/db/connection/leases.ts';
import { mayBeOutdated, redoOutdatedRuns } from '@hearth/core/db/runs/outdatedRuns.ts';
import { components, type ComponentSpec } from '@hearth/core/pipeline.ts';
import type { Deps } from '../deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';
import { underLease } from './underLease.ts';

/** Jobs of one pool in the queue up to which old results are made anew: enough for a while, and few to be passed by uploads. */
const maxQueued = 200;

/**
 * Makes results anew that an earlier version of their component has made, a few at a time and behind every upload. Once begun this goes on
 * without the queue too: what is due is in the database.
 */
export const redoOutdated = async (deps: Pick<Deps, 'db' | 'queues' | 'log'>, lease: Lease): Promise<void> => {
  for (const component of components) {
    if (!(await mayBeOutdated(deps.db, component))) continue;
    const room = maxQueued - (await deepest(deps, component));
    if (room <= 0) continue;
    const runs = await underLease(deps.db, lease, (trx) => redoOutdatedRuns(trx, component, room));
    if (runs.length === 0) continue;
    deps.log.info({ component: component.name, items: runs.length }, 'results of an earlier version are made anew');
    await enqueueRuns(deps, runs);
  }
};

/** Jobs in the fullest queue of a component. */
const deepest = async ({ queues }: Pick<Deps, 'queues'>, { pools }: ComponentSpec): Promise<number> =>
  Math.max(...(await Promise.all(Object.values(pools).map(({ name }) => queues.depth(name)))));
