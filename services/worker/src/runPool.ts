import { setTimeout as sleep } from 'node:timers/promises';
import { claimRun, recordProgress, renewLease, type Claim } from '@hearth/core/db/componentRuns.ts';
import { recordOutcome, type Outcome, type Recorded } from '@hearth/core/db/runOutcomes.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { findMediaItemForWork } from '@hearth/core/db/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { metrics } from '@hearth/core/metrics.ts';
import { isNotFound, StoreError } from '@hearth/core/objects/objectErrors.ts';
import {
  components as pipeline,
  type BuiltComponent,
  type MediaItemJob,
  type PoolName,
} from '@hearth/core/pipeline.ts';
import type { Consumer, Priority } from '@hearth/core/queue/queue.ts';
import type { Component, ItemContext, RunControl } from './component.ts';
import type { Deps } from './deps.ts';
import { openItemContext } from './itemContext.ts';
import { DecodeError } from './media/decodeError.ts';
import { isNoSpace } from './media/noSpace.ts';
import { openVideoTurns } from './videoTurns.ts';

/** Every component by its name. */
export type Components = Readonly<Record<BuiltComponent, Component>>;

/**
 * Videos in hand in each pool. Their runs in the pool `video` take a core for minutes, and share it with the photos of the other pool; in
 * the others they download whole films and wait for a decoder, besides the photos and in no place of theirs.
 */
const videosAtOnce = 1;

/** Pulls from a pool: for each job, what is undone of the item is claimed, run and recorded, one component after another. */
export const runPool = (deps: Deps, pool: PoolName, components: Components): Consumer => {
  const { queues, config, db, log } = deps;
  const { name } = config;
  const work = (job: MediaItemJob) => runItem(deps, pool, components, job);
  if (pool === 'video') return queues.consume({ pool, concurrency: videosAtOnce, name, handle: work });
  const turns = openVideoTurns(work, log);
  const handle = async (job: MediaItemJob): Promise<void> => {
    if (turns.isWaiting(job)) return;
    const item = await findMediaItemForWork(db, job.mediaItemId);
    if (item?.type === 'VIDEO') await turns.take(job, priorityOf(item));
    else if (item !== undefined) await workOn(deps, pool, components, job, item);
  };
  const consumer = queues.consume({ pool, concurrency: config.concurrency + videosAtOnce, name, handle });
  return {
    close: async (timeoutMs) => {
      turns.end();
      await consumer.close(timeoutMs);
    },
  };
};

/**
 * Does what is undone of one item in a pool, and enqueues it in the others where that has made something due. It looks anew after each run,
 * so that what became due meanwhile is done too.
 */
export const runItem = async (deps: Deps, pool: PoolName, components: Components, job: MediaItemJob): Promise<void> => {
  const item = await findMediaItemForWork(deps.db, job.mediaItemId);
  if (item !== undefined) await workOn(deps, pool, components, job, item);
};

const workOn = async (
  deps: Deps,
  pool: PoolName,
  components: Components,
  job: MediaItemJob,
  item: MediaItemRow,
): Promise<void> => {
  const { mediaItemId, requestId } = job;
  const log = deps.log.child({ mediaItemId, requestId });
  await using context = openItemContext({ ...deps, log }, item);
  const { featuresOff } = deps.config;
  const told = new Set<PoolName>([pool]);
  for (let isMoreDue = true; isMoreDue;) {
    const claim = await claimRun(deps.db, mediaItemId, pool, leaseMs(deps), { featuresOff });
    if (claim === undefined) return;
    const recorded = await runClaim({ ...deps, log }, components[claim.component], claim, context);
    const pools = recorded?.due.flatMap(poolsOf) ?? [pool];
    for (const other of new Set(pools).difference(told)) {
      told.add(other);
      await deps.queues
        .enqueue(other, [job], priorityOf(item))
        .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will do it'));
    }
    isMoreDue = pools.includes(pool);
  }
};

/** Of an item that is shown already nobody waits for more. */
const priorityOf = ({ status }: MediaItemRow): Priority => (status === 'READY' ? 'library' : 'upload');

/** None where a newer version of Hearth has made the run, of a component that is not known here. */
const poolsOf = (component: BuiltComponent): PoolName[] =>
  pipeline.filter(({ name }) => name === component).map(({ pool }) => pool);

const leaseMs = ({ config }: Deps): number => config.leaseSeconds * 1_000;

const runClaim = async (
  deps: Deps,
  component: Component,
  claim: Claim,
  context: ItemContext,
): Promise<Recorded | undefined> => {
  const endTimer = metrics.runSeconds.startTimer({ component: claim.component });
  const lost = new AbortController();
  const signal = AbortSignal.any([deps.stopping, lost.signal]);
  const renewal = setInterval(
    () => {
      renewLease(deps.db, claim, leaseMs(deps)).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => deps.log.debug({ err: error }, 'lease not renewed'),
      );
    },
    leaseMs(deps) / 3,
  );
  let outcome: Outcome;
  try {
    outcome = await component.run(deps, context, { signal, report: reportProgress(deps, claim) });
  } catch (error) {
    outcome = signal.aborted ? { state: 'POSTPONED', reason: 'INTERRUPTED' } : outcomeOf(error);
    deps.log[outcome.state === 'FAILED' || signal.aborted ? 'info' : 'warn'](
      { err: error, component: claim.component, attempts: claim.attempts, ...summary(outcome) },
      signal.aborted ? 'run given back' : 'run failed',
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

/** Milliseconds between two notes of how far a run has come. */
const progressMs = 2_000;

const reportProgress = ({ db, log }: Deps, claim: Claim): RunControl['report'] => {
  let noted = 0;
  let notedAt = -Infinity;
  return (fraction) => {
    const percent = Math.floor(100 * Math.min(1, Math.max(0, fraction)));
    if (percent === noted || Date.now() - notedAt < progressMs) return;
    noted = percent;
    notedAt = Date.now();
    recordProgress(db, claim, percent).catch((error: unknown) => log.debug({ err: error }, 'progress not noted'));
  };
};

const summary = (outcome: Outcome) => ({
  state: outcome.state,
  ...('reason' in outcome && { reason: outcome.reason }),
});

/** Milliseconds until a disk that was full is tried again: a film may have taken hours to fill it, and others wait for the same core. */
const noSpaceMs = 60_000;

/** What a thrown error makes of a run. */
const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof DecodeError) return { state: error.permanent ? 'FAILED' : 'RETRY', reason: error.code };
  if (isNotFound(error)) return { state: 'RETRY', reason: 'ORIGINAL_MISSING' };
  if (isNoSpace(error)) return { state: 'POSTPONED', reason: 'NO_SPACE', afterMs: noSpaceMs };
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
