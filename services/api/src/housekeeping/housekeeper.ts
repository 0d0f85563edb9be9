import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, underLease } from './leases/leases.ts';
import { clearGauge, metrics } from '@hearth/core/metrics/metrics.ts';
import type { Deps } from '../deps/deps.ts';
import { competeForLease, leaseMs, type HeldLease } from './leases/heldLease.ts';
import { keepPeople } from './peopleOff.ts';
import { lanes, rememberedMs, tasks, type Lane } from './tasks.ts';
import { keepFinishingUploads } from './uploads.ts';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** Milliseconds between two looks for due tasks. */
const tickMs = 1_000;

/**
 * Milliseconds until a failed task is retried. They double with each failure (exponential backoff), up to a minute, or to the task's own
 * interval of at most an hour.
 */
const retryMs = 10_000;
const maxRetryMs = { least: 60_000, most: 3_600_000 } as const;

/**
 * The lease of each lane. That of the short lane has the name that earlier versions used for all tasks, so beside such a version no task of
 * it runs twice.
 */
export const leaseNames: Readonly<Record<Lane, string>> = {
  short: 'housekeeping',
  long: 'housekeeping, long',
  scrub: 'housekeeping, scrub',
};

/** Lease durations, in ms. The scrub may start late, and each renewal is a write. */
const leaseMsOf: Readonly<Record<Lane, number>> = { short: leaseMs, long: leaseMs, scrub: 10 * leaseMs };

/** Runs the housekeeper's tasks until `stop` is called. `stop` releases the leases after the steps in hand. */
export const startHousekeeper = (deps: Deps): { readonly stop: () => Promise<void> } => {
  // From 0 on: a counter that appears with its first failure shows Prometheus no increase.
  for (const outcome of ['done', 'failed']) metrics.jobItems.inc({ outcome }, 0);
  const stopping = new AbortController();
  const ended = Promise.all([
    ...lanes.map((lane) => keepHouse(deps, lane, stopping.signal)),
    keepFinishingUploads(deps, stopping.signal),
    keepPeople(deps, stopping.signal),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

/** What the tasks of each lane see of the whole installation. */
const seenByLane = {
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

/** Only the holder of a lane's lease exports what the lane sees: the values of several processes would be added up, or be those of long ago. */
const tellWhoLeads = (lane: Lane, isLeader: boolean): void => {
  metrics.housekeeperLeader.set({ lane }, isLeader ? 1 : 0);
  if (isLeader) return;
  for (const gauge of seenByLane[lane]) clearGauge(gauge);
  for (const task of tasks) if (task.lane === lane) metrics.housekeepingFailures.remove({ task: task.name });
};

/** What a process knows about the tasks of a lane while it holds the lease. */
interface Ledger {
  /** When each task was last finished. A failed task gets the time that makes it due when it is to be retried. */
  readonly finished: Map<string, Date>;
  /** How often each task has failed since its last success. */
  readonly failures: Map<string, number>;
}

const keepHouse = async (deps: Deps, lane: Lane, signal: AbortSignal): Promise<void> => {
  const held = competeForLease(deps.db, leaseNames[lane], leaseMsOf[lane]);
  let lastFencing = 0;
  let ledger: Ledger = { finished: new Map(), failures: new Map() };
  tellWhoLeads(lane, false);
  while (!signal.aborted) {
    try {
      const lease = await held.find();
      tellWhoLeads(lane, lease !== undefined);
      if (lease !== undefined && lease.fencing !== lastFencing) {
        ledger = { finished: await listFinishedTasks(deps.db), failures: new Map() };
        lastFencing = lease.fencing;
      }
      if (lease !== undefined) await held.whileRenewing(() => runDueTasks(deps, lane, held, lease, ledger, signal));
    } catch (error) {
      held.doubt();
      tellWhoLeads(lane, false);
      deps.log.warn({ err: error }, 'housekeeping was interrupted and goes on');
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
    if (signal.aborted || !held.isSure(lease)) return;
    const last = finished.get(task.name)?.getTime() ?? 0;
    if (Date.now() - last < task.everyMs) continue;
    finished.set(task.name, new Date());
    try {
      await task.run(deps, lease, signal);
      // A task that was ended early is not finished.
      if (signal.aborted) return;
      if (task.everyMs >= rememberedMs) await underLease(deps.db, lease, (trx) => recordFinishedTask(trx, task.name));
      failures.delete(task.name);
      metrics.housekeepingFailures.set({ task: task.name }, 0);
    } catch (error) {
      const times = (failures.get(task.name) ?? 0) + 1;
      failures.set(task.name, times);
      metrics.housekeepingFailures.set({ task: task.name }, times);
      const afterMs = retryAfterMs(times, task.everyMs);
      deps.log.warn(
        { err: error, task: task.name, times, afterMs },
        'a housekeeping task failed and will be tried again',
      );
      finished.set(task.name, new Date(Date.now() - task.everyMs + afterMs));
    }
  }
};

/** Milliseconds until a task is retried that has failed this many times in a row. */
export const retryAfterMs = (times: number, everyMs: number): number =>
  Math.min(retryMs * 2 ** (times - 1), Math.max(maxRetryMs.least, Math.min(everyMs, maxRetryMs.most)));

/** When each task was last finished; one that never was is not named. */
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
