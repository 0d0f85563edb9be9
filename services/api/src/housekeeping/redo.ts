import type { Lease } from '@hearth/core/db/connection/leases.ts';
import { mayBeOutdated, redoOutdatedRuns } from '@hearth/core/db/runs/outdatedRuns.ts';
import { components, type ComponentSpec } from '@hearth/core/pipeline.ts';
import type { Deps } from '../deps/deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';
import { underLease } from './underLease.ts';

/**
 * Outdated results are made again only while a pool's queue has fewer jobs than this: enough work for a while, and few for an upload to
 * overtake.
 */
const maxQueued = 200;

/**
 * Makes runs due whose results are of an earlier version of their component, a few at a time and behind every upload. It works without the
 * queue, too: due runs are in the database.
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

/** The number of jobs in the fullest queue of a component. */
const deepest = async ({ queues }: Pick<Deps, 'queues'>, { pools }: ComponentSpec): Promise<number> =>
  Math.max(...(await Promise.all(Object.values(pools).map(({ name }) => queues.depth(name)))));
