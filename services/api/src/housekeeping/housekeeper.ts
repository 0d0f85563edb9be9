import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, underLease } from './leases/leases.ts';
import { clearGauge, metrics } from '@hearth/core/metrics/metrics.ts';
import type { Deps } from '../deps/deps.ts';
import { competeForLease, leaseMs, type HeldLease } from './leases/heldLease.ts';
import { keepStoppingPeopleClocks } from './peopleOff.ts';
import { lanes, minRememberedMs, tasks, type Lane } from './tasks.ts';
import { keepFinishingUploads } from './uploads.ts';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Poll interval for due tasks, in ms. */
const tickMs = 1_000;

/**
 * Delay before the first retry of a failed task, in ms. Each further failure doubles the delay, up to the task's own
 * interval, or to `maxRetryMs.min` or `maxRetryMs.max` if the interval is shorter or longer.
 */
const retryMs = 10_000;
const maxRetryMs = { min: 60_000, max: 3_600_000 } as const;

/**
 * Lease names. The short lane keeps the name that earlier versions used for all tasks, so that none of its tasks runs
 * twice during an upgrade.
 */
export const leaseNames: Readonly<Record<Lane, string>> = {
  short: 'housekeeping',
  long: 'housekeeping, long',
  scrub: 'housekeeping, scrub',
};

/** Lease durations, in ms. The scrub may be taken over late, which saves renewals: each is a write. */
const leaseMsByLane: Readonly<Record<Lane, number>> = { short: leaseMs, long: leaseMs, scrub: 10 * leaseMs };

/** Runs the housekeeper's tasks until `stop` is called. `stop` waits for the current steps and releases the leases. */
export const startHousekeeper = (deps: Deps): { readonly stop: () => Promise<void> } => {
  // Initialized at 0: Prometheus does not count the first increment of a new counter as an increase.
  for (const outcome of ['done', 'failed']) metrics.jobItems.inc({ outcome }, 0);
  const stopping = new AbortController();
  const ended = Promise.all([
    ...lanes.map((lane) => runLane(deps, lane, stopping.signal)),
    keepFinishingUploads(deps, stopping.signal),
    keepStoppingPeopleClocks(deps, stopping.signal),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

/** Metrics of the whole installation, by the lane that sets them. */
const gaugesByLane = {
  short: [metrics.queueDepth, metrics.jobs],
  long: [
    metrics.orphans,
    metrics.orphanBytes,
    metrics.originals,
    metrics.scrubStopped,
    metrics.scrubCompleted,
    metrics.scrubPeriod,
    metrics.renditionsRepaired,
  ],
  scrub: [],
} as const;

/**
 * Only the holder of a lane's lease exports its metrics. Otherwise Prometheus would add up values of several processes,
 * some of them outdated.
 */
const reportLeader = (lane: Lane, isLeader: boolean): void => {
  metrics.housekeeperLeader.set({ lane }, isLeader ? 1 : 0);
  if (isLeader) return;
  for (const gauge of gaugesByLane[lane]) clearGauge(gauge);
  for (const task of tasks) if (task.lane === lane) metrics.housekeepingFailures.remove({ task: task.name });
};

/** State of a lane's tasks while this process holds the lease. */
interface Ledger {
  /**
   * Start of the last run of each task. Before the first run, its last recorded completion. After a failure, a time
   * that makes the task due at its retry.
   */
  readonly finished: Map<string, Date>;
  /** Failures of each task since its last success. */
  readonly failures: Map<string, number>;
}

const runLane = async (deps: Deps, lane: Lane, signal: AbortSignal): Promise<void> => {
  const held = competeForLease(deps.db, leaseNames[lane], leaseMsByLane[lane]);
  let lastFencing = 0;
  let ledger: Ledger = { finished: new Map(), failures: new Map() };
  reportLeader(lane, false);
  while (!signal.aborted) {
    try {
      const lease = await held.find();
      reportLeader(lane, lease !== undefined);
      if (lease !== undefined && lease.fencing !== lastFencing) {
        ledger = { finished: await listFinishedTasks(deps.db), failures: new Map() };
        lastFencing = lease.fencing;
      }
      if (lease !== undefined) await held.whileRenewing(() => runDueTasks(deps, lane, held, lease, ledger, signal));
    } catch (error) {
      held.invalidate();
      reportLeader(lane, false);
      deps.log.warn({ err: error }, 'housekeeping interrupted; continuing');
    }
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
  }
  await held.release().catch(() => undefined);
};

const runDueTasks = async (
  deps: Deps,
  lane: Lane,
  held: HeldLease,
  lease: Lease,
  { finished, failures }: Ledger,
  signal: AbortSignal,
): Promise<void> => {
  for (const task of tasks) {
    if (task.lane !== lane) continue;
    if (signal.aborted || !held.isValid(lease)) return;
    const last = finished.get(task.name)?.getTime() ?? 0;
    if (Date.now() - last < task.everyMs) continue;
    finished.set(task.name, new Date());
    try {
      await task.run(deps, lease, signal);
      // An aborted task has not completed, so its completion is not recorded.
      if (signal.aborted) return;
      if (task.everyMs >= minRememberedMs)
        await underLease(deps.db, lease, (trx) => recordFinishedTask(trx, task.name));
      failures.delete(task.name);
      metrics.housekeepingFailures.set({ task: task.name }, 0);
    } catch (error) {
      const times = (failures.get(task.name) ?? 0) + 1;
      failures.set(task.name, times);
      metrics.housekeepingFailures.set({ task: task.name }, times);
      const afterMs = getRetryDelayMs(times, task.everyMs);
      deps.log.warn({ err: error, task: task.name, times, afterMs }, 'housekeeping task failed; retrying');
      finished.set(task.name, new Date(Date.now() - task.everyMs + afterMs));
    }
  }
};

/** Returns the delay in ms after `times` failures in a row. */
export const getRetryDelayMs = (times: number, everyMs: number): number =>
  Math.min(retryMs * 2 ** (times - 1), Math.max(maxRetryMs.min, Math.min(everyMs, maxRetryMs.max)));

/** Returns the last completion of each task. Tasks that never completed are missing. */
export const listFinishedTasks = async (db: Database): Promise<Map<string, Date>> => {
  const rows = await db.selectFrom('housekeeping_tasks').selectAll().execute();
  return new Map(rows.map((row) => [row.name, row.finished_at]));
};

export const recordFinishedTask = async (db: Database, name: string): Promise<void> => {
  await db
    .insertInto('housekeeping_tasks')
    .values({ name, finished_at: sql<Date>`now()` })
    .onConflict((on) => on.column('name').doUpdateSet({ finished_at: sql<Date>`now()` }))
    .execute();
};
