import { setTimeout as sleep } from 'node:timers/promises';
import { claimRun, renewLease, type Claim } from '@hearth/core/db/componentRuns.ts';
import { recordOutcome, type Outcome, type Recorded } from '@hearth/core/db/runOutcomes.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { findMediaItemForWork } from '@hearth/core/db/mediaItems.ts';
import { metrics } from '@hearth/core/metrics.ts';
import { isNotFound, StoreError } from '@hearth/core/objects/objectErrors.ts';
import {
  components as pipeline,
  type BuiltComponent,
  type MediaItemJob,
  type PoolName,
} from '@hearth/core/pipeline.ts';
import type { Consumer } from '@hearth/core/queue/queue.ts';
import type { Component, ItemContext } from './component.ts';
import type { Deps } from './deps.ts';
import { openItemContext } from './itemContext.ts';
import { DecodeError } from './media/decodeError.ts';

/** Every component by its name. */
export type Components = Readonly<Record<BuiltComponent, Component>>;

/** Pulls from a pool: for each job, what is undone of the item is claimed, run and recorded, one component after another. */
export const runPool = (deps: Deps, pool: PoolName, components: Components): Consumer =>
  deps.queues.consume({
    pool,
    concurrency: deps.config.concurrency,
    name: deps.config.name,
    handle: (job) => runItem(deps, pool, components, job),
  });

/** Does what is undone of one item. It looks anew after each run, so that what became due meanwhile is done too. */
export const runItem = async (
  deps: Deps,
  pool: PoolName,
  components: Components,
  { mediaItemId, requestId }: MediaItemJob,
): Promise<void> => {
  const item = await findMediaItemForWork(deps.db, mediaItemId);
  if (item === undefined) return;
  const log = deps.log.child({ mediaItemId, requestId });
  await using context = openItemContext({ ...deps, log }, item);
  const { featuresOff } = deps.config;
  for (let isMoreDue = true; isMoreDue;) {
    const claim = await claimRun(deps.db, mediaItemId, pool, leaseMs(deps), { featuresOff });
    if (claim === undefined) return;
    const recorded = await runClaim({ ...deps, log }, components[claim.component], claim, context);
    isMoreDue = recorded?.due.some((component) => isInPool(component, pool)) ?? true;
  }
};

const isInPool = (component: BuiltComponent, pool: PoolName): boolean =>
  pipeline.some((spec) => spec.name === component && spec.pool === pool);

const leaseMs = ({ config }: Deps): number => config.leaseSeconds * 1_000;

const runClaim = async (
  deps: Deps,
  component: Component,
  claim: Claim,
  context: ItemContext,
): Promise<Recorded | undefined> => {
  const endTimer = metrics.runSeconds.startTimer({ component: claim.component });
  const renewal = setInterval(
    () => {
      renewLease(deps.db, claim, leaseMs(deps)).catch((error: unknown) =>
        deps.log.debug({ err: error }, 'lease not renewed'),
      );
    },
    leaseMs(deps) / 3,
  );
  let outcome: Outcome;
  try {
    outcome = await component.run(deps, context);
  } catch (error) {
    outcome = outcomeOf(error);
    deps.log[outcome.state === 'FAILED' ? 'info' : 'warn'](
      { err: error, component: claim.component, attempts: claim.attempts, ...summary(outcome) },
      'run failed',
    );
  }
  try {
    const recorded = await whileDatabaseIsAway(leaseMs(deps), () => recordOutcome(deps.db, claim, outcome));
    if (recorded === undefined)
      deps.log.info({ component: claim.component }, 'result dropped: the run is no longer ours');
    endTimer({ outcome: recorded === undefined ? 'DROPPED' : outcome.state });
    return recorded;
  } finally {
    clearInterval(renewal);
  }
};

const summary = (outcome: Outcome) => ({
  state: outcome.state,
  ...('reason' in outcome && { reason: outcome.reason }),
});

/** What a thrown error makes of a run. */
const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof DecodeError) return { state: error.permanent ? 'FAILED' : 'RETRY', reason: error.code };
  if (isNotFound(error)) return { state: 'RETRY', reason: 'ORIGINAL_MISSING' };
  if (error instanceof StoreError) return { state: 'POSTPONED', reason: 'STORAGE_UNREACHABLE' };
  if (isDatabaseUnavailable(error)) return { state: 'POSTPONED', reason: 'INTERNAL' };
  return { state: 'RETRY', reason: 'INTERNAL' };
};

/** Work that took minutes is not thrown away because the database restarts: tries again until the lease is over. */
const whileDatabaseIsAway = async <Result>(forMs: number, write: () => Promise<Result>): Promise<Result> => {
  const until = Date.now() + forMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > until) throw error;
      await sleep(500);
    }
  }
};
