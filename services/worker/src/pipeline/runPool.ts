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
import { getLeaseMs, runClaim, runOutcomes } from './runClaim.ts';
import { openSpareSlot, type SpareSlot } from './spareSlot.ts';

/** Component implementations by name. */
export type Components = Readonly<Record<ComponentName, Component>>;

/** Starts a consumer of the pool's queue. For each job, claims, executes and records the due runs of the item, one component after another. */
export const runPool = (deps: Deps, pool: PoolName, components: Components): Consumer => {
  const spec = listPools(deps.pipeline).find(({ name }) => name === pool)!;
  const concurrency = spec.concurrency === 'configured' ? deps.config.concurrency : spec.concurrency;
  let activeJobs = 0;
  const processJob = async (job: MediaItemJob): Promise<void> => {
    const item = await findMediaItemForWork(deps.db, job.mediaItemId);
    if (item === undefined) return;
    const processItem = (slotDeps: Deps): Promise<void> => runDueComponents(slotDeps, pool, components, job, item);
    await (spareSlot === undefined ? processItem(deps) : spareSlot.during(item.user_id, processItem));
  };
  const spareSlot: SpareSlot | undefined =
    spec.hasSpareSlot === true
      ? openSpareSlot(deps, {
          pool,
          isFull: () => activeJobs === concurrency,
          work: (mediaItemId) => processJob({ mediaItemId }),
        })
      : undefined;
  const addActiveJobs = (change: number): void => {
    activeJobs += change;
    metrics.workerSlotsUsed.set({ pool }, activeJobs);
  };
  const handle = async (job: MediaItemJob): Promise<void> => {
    addActiveJobs(1);
    await processJob(job).finally(() => addActiveJobs(-1));
  };
  metrics.workerSlots.set({ pool }, concurrency);
  addActiveJobs(0);
  // Starts all counters at 0: otherwise Prometheus misses the first increase.
  for (const { name: component } of componentsIn(pool, deps.pipeline))
    for (const outcome of runOutcomes) metrics.runs.inc({ component, outcome }, 0);
  const consumer = deps.queues.consume({ pool, concurrency, name: deps.config.name, handle });
  return {
    close: async (timeoutMs) => {
      await Promise.all([
        consumer.close(timeoutMs),
        Promise.race([spareSlot?.end(), sleep(timeoutMs, undefined, { ref: false })]),
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
  if (item !== undefined) await runDueComponents(deps, pool, components, job, item);
};

const runDueComponents = async (
  deps: Deps,
  pool: PoolName,
  components: Components,
  job: MediaItemJob,
  item: MediaItemRow,
): Promise<void> => {
  const { mediaItemId, requestId } = job;
  const log = deps.log.child({ mediaItemId, requestId });
  const poolComponents = componentsIn(pool, deps.pipeline).flatMap(({ name }) => components[name] ?? []);
  await using context = openItemContext(
    { ...deps, log },
    item,
    groupPreviewSizes(poolComponents, deps.inference.listMissingCapabilities()),
  );
  const { featuresOff } = deps.config;
  const enqueuedPools = new Set<PoolName>([pool]);
  // Runs left at shutdown stay due. The next sweep enqueues them for other workers.
  for (let hasDueRuns = true; hasDueRuns && !deps.stopping.aborted;) {
    const options = { components: deps.pipeline, featuresOff };
    const claim = await claimRun(deps.db, mediaItemId, pool, getLeaseMs(deps), options);
    if (claim === undefined) return;
    const component = components[claim.component];
    if (component === undefined) throw new Error(`no implementation of component ${claim.component}`);
    const dueComponents = await runClaim({ ...deps, log }, component, claim, context);
    const duePools = new Set(dueComponents?.map((name) => findPool(name, item.type, deps.pipeline)) ?? [pool]);
    for (const otherPool of duePools.difference(enqueuedPools)) {
      if (otherPool === undefined) continue;
      enqueuedPools.add(otherPool);
      await deps.queues
        .enqueue(otherPool, [{ ...job, ownerId: item.user_id }], getPriority(item))
        .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will enqueue it'));
    }
    hasDueRuns = duePools.has(pool);
  }
};

/**
 * Groups preview sizes into two decodes, as longer sides in pixels: [always needed, needed on demand]. Sizes for components with missing models count as
 * needed on demand.
 */
const groupPreviewSizes = (
  poolComponents: readonly Component[],
  missingCapabilities: readonly string[],
): readonly (readonly number[])[] => {
  const runnable = poolComponents.filter(
    ({ capabilities }) => !capabilities.some((each) => missingCapabilities.includes(each)),
  );
  const always = new Set(runnable.flatMap(({ previewSizes = [] }) => previewSizes));
  const all = new Set(
    poolComponents.flatMap(({ previewSizes = [], onDemandPreviewSizes = [] }) =>
      [previewSizes, onDemandPreviewSizes].flat(),
    ),
  );
  return [[...always], [...all.difference(always)]];
};

/** Items still in PROCESSING come first: a user may be waiting for them. */
const getPriority = ({ status }: MediaItemRow): Priority => (status === 'PROCESSING' ? 'upload' : 'library');
