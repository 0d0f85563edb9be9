import { setTimeout as sleep } from 'node:timers/promises';
import { claimRun } from '@hearth/core/db/runs/componentRuns.ts';
import { findMediaItemForWork } from '@hearth/core/db/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import {
  components as pipeline,
  type BuiltComponent,
  type MediaItemJob,
  type PoolName,
} from '@hearth/core/pipeline.ts';
import type { Consumer, Priority } from '@hearth/core/queue/queue.ts';
import type { Component } from './component.ts';
import type { Deps } from './deps.ts';
import { openItemContext } from './itemContext.ts';
import { leaseMs, runClaim } from './runClaim.ts';
import { openSparePlace } from './sparePlace.ts';
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
  const concurrency = config.concurrency + videosAtOnce;
  let taken = 0;
  const workOnPhoto = (job: MediaItemJob, item: MediaItemRow): Promise<void> =>
    spare.during(item.user_id, (tools) => workOn(tools, pool, components, job, item));
  const spare = openSparePlace(deps, {
    pool,
    isFull: () => taken === concurrency,
    work: async (mediaItemId) => {
      const item = await findMediaItemForWork(db, mediaItemId);
      if (item !== undefined) await workOnPhoto({ mediaItemId }, item);
    },
  });
  const handle = async (job: MediaItemJob): Promise<void> => {
    if (turns.isWaiting(job)) return;
    taken += 1;
    try {
      const item = await findMediaItemForWork(db, job.mediaItemId);
      if (item?.type === 'VIDEO') await turns.take(job, { ownerId: item.user_id, priority: priorityOf(item) });
      else if (item !== undefined) await workOnPhoto(job, item);
    } finally {
      taken -= 1;
    }
  };
  const consumer = queues.consume({ pool, concurrency, name, handle });
  return {
    close: async (timeoutMs) => {
      turns.end();
      await Promise.all([
        consumer.close(timeoutMs),
        Promise.race([spare.end(), sleep(timeoutMs, undefined, { ref: false })]),
      ]);
    },
  };
};

/**
 * Does what is undone of one item in a pool, and enqueues it in the others where that has made something due. It looks anew after each run,
 * so that what became due meanwhile is done too. A worker that is asked to end begins nothing further.
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
  // What is left when the worker is asked to end is due for the others: the next sweep enqueues it.
  for (let isMoreDue = true; isMoreDue && !deps.stopping.aborted;) {
    const claim = await claimRun(deps.db, mediaItemId, pool, leaseMs(deps), { featuresOff });
    if (claim === undefined) return;
    const recorded = await runClaim({ ...deps, log }, components[claim.component], claim, context);
    const pools = recorded?.due.flatMap(poolsOf) ?? [pool];
    for (const other of new Set(pools).difference(told)) {
      told.add(other);
      await deps.queues
        .enqueue(other, [{ ...job, ownerId: item.user_id }], priorityOf(item))
        .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will do it'));
    }
    isMoreDue = pools.includes(pool);
  }
};

/** Of an item that is shown already nobody waits for more, nor of one that cannot be shown. */
const priorityOf = ({ status }: MediaItemRow): Priority => (status === 'PROCESSING' ? 'upload' : 'library');

/** None where a newer version of Hearth has made the run, of a component that is not known here. */
const poolsOf = (component: BuiltComponent): PoolName[] =>
  pipeline.filter(({ name }) => name === component).map(({ pool }) => pool);
