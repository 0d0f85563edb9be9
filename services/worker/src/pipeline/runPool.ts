import { setTimeout as sleep } from 'node:timers/promises';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { claimRun } from '@hearth/core/runs/componentRuns.ts';
import { findMediaItemForWork } from '@hearth/core/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import { componentsIn, findPool, listPools, type MediaItemJob, type PoolName } from '@hearth/core/config/pipeline.ts';
import type { Consumer, Priority } from '@hearth/core/queue/queue.ts';
import type { Component } from '../context/component.ts';
import type { Deps } from '../context/deps.ts';
import { openItemContext } from '../context/itemContext.ts';
import { leaseMs, runClaim, runEnds } from './runClaim.ts';
import { openSpareSlot, type SpareSlot } from './spareSlot.ts';

/** Component implementations by name. */
export type Components = Readonly<Record<ComponentName, Component>>;

/** Starts a consumer of the pool's queue. For each job, claims, executes and records the due runs of the item, one component after another. */
export const runPool = (deps: Deps, pool: PoolName, components: Components): Consumer => {
  const spec = listPools(deps.pipeline).find(({ name }) => name === pool)!;
  const concurrency = spec.concurrency === 'configured' ? deps.config.concurrency : spec.concurrency;
  let inHand = 0;
  const work = async (job: MediaItemJob): Promise<void> => {
    const item = await findMediaItemForWork(deps.db, job.mediaItemId);
    if (item === undefined) return;
    const workWith = (tools: Deps): Promise<void> => workOn(tools, pool, components, job, item);
    await (spare === undefined ? workWith(deps) : spare.during(item.user_id, workWith));
  };
  const spare: SpareSlot | undefined =
    spec.hasSpareSlot === true
      ? openSpareSlot(deps, {
          pool,
          isFull: () => inHand === concurrency,
          work: (mediaItemId) => work({ mediaItemId }),
        })
      : undefined;
  const count = (change: number): void => {
    inHand += change;
    metrics.workerSlotsUsed.set({ pool }, inHand);
  };
  const handle = async (job: MediaItemJob): Promise<void> => {
    count(1);
    await work(job).finally(() => count(-1));
  };
  metrics.workerSlots.set({ pool }, concurrency);
  count(0);
  // Starts all counters at 0: otherwise Prometheus misses the first increase.
  for (const { name: component } of componentsIn(pool, deps.pipeline))
    for (const outcome of runEnds) metrics.runs.inc({ component, outcome }, 0);
  const consumer = deps.queues.consume({ pool, concurrency, name: deps.config.name, handle });
  return {
    close: async (timeoutMs) => {
      await Promise.all([
        consumer.close(timeoutMs),
        Promise.race([spare?.end(), sleep(timeoutMs, undefined, { ref: false })]),
      ]);
    },
  };
};

/**
 * Executes the due runs of one item in a pool, including those that become due meanwhile. Enqueues the item in other pools where a run became due.
 * Starts no run after `deps.stopping` is aborted.
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
  const own = componentsIn(pool, deps.pipeline).flatMap(({ name }) => components[name] ?? []);
  await using context = openItemContext({ ...deps, log }, item, decodesOf(own, deps.inference.lacking()));
  const { featuresOff } = deps.config;
  const told = new Set<PoolName>([pool]);
  // Runs left at shutdown stay due. The next sweep enqueues them for other workers.
  for (let isMoreDue = true; isMoreDue && !deps.stopping.aborted;) {
    const options = { components: deps.pipeline, featuresOff };
    const claim = await claimRun(deps.db, mediaItemId, pool, leaseMs(deps), options);
    if (claim === undefined) return;
    const component = components[claim.component];
    if (component === undefined) throw new Error(`no code for component ${claim.component}`);
    const due = await runClaim({ ...deps, log }, component, claim, context);
    const pools = new Set(due?.map((name) => findPool(name, item.type, deps.pipeline)) ?? [pool]);
    for (const other of pools.difference(told)) {
      if (other === undefined) continue;
      told.add(other);
      await deps.queues
        .enqueue(other, [{ ...job, ownerId: item.user_id }], priorityOf(item))
        .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will enqueue it'));
    }
    isMoreDue = pools.has(pool);
  }
};

/**
 * Groups preview sizes into two decodes, as longer sides in pixels: [always needed, needed on demand]. Components with missing models do not count as
 * always.
 */
const decodesOf = (own: readonly Component[], lacking: readonly string[]): readonly (readonly number[])[] => {
  const able = own.filter(({ capabilities }) => !capabilities.some((each) => lacking.includes(each)));
  const always = new Set(able.flatMap(({ pixels = [] }) => pixels));
  const all = new Set(own.flatMap(({ pixels = [], seldomPixels = [] }) => [pixels, seldomPixels].flat()));
  return [[...always], [...all.difference(always)]];
};

/** Items still in PROCESSING come first: a user may be waiting for them. */
const priorityOf = ({ status }: MediaItemRow): Priority => (status === 'PROCESSING' ? 'upload' : 'library');
