import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeBlockedRuns } from '@hearth/core/db/capabilities.ts';
import { deleteEmptyCounts, findCountErrors, foldCounts, hasCountDeltas } from '@hearth/core/db/counts.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { listFinishedTasks, recordFinishedTask } from '@hearth/core/db/housekeepingTasks.ts';
import { acquireLease, holdLease, releaseLease, type Lease } from '@hearth/core/db/leases.ts';
import { deleteExpiredSessions } from '@hearth/core/db/sessions.ts';
import type { Deps } from '../deps.ts';
import { emptyTrash, removeMarked, removeOrphans } from './removal.ts';
import { sweep } from './sweep.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** For how long the lease is taken; a holder that dies or freezes is replaced after this time. */
const leaseMs = 15 * second;

/** How often the lease is asked for and renewed: a third of its time, so that one failure in between loses nothing. */
const renewMs = leaseMs / 3;

/** How often a task may become due. */
const tickMs = 1 * second;

/** Age below which an object without a row is left alone: its upload may be about to write the row. */
const orphanAgeMs = day;

/** Deltas folded in one transaction: about 50 ms of work. */
const foldBatch = 5_000;

interface Task {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (deps: Deps, lease: Lease) => Promise<unknown>;
}

/** What is done for the whole installation by whichever API process holds the lease. */
const tasks: readonly Task[] = [
  { name: 'fold counts', everyMs: 2 * second, run: foldAllCounts },
  { name: 'sweep', everyMs: 3 * second, run: sweep },
  { name: 'remove', everyMs: 10 * second, run: removeMarked },
  { name: 'empty trash', everyMs: hour, run: (deps, lease) => emptyTrash(deps, lease, deps.config.trashDays) },
  { name: 'end sessions', everyMs: hour, run: ({ db }) => deleteExpiredSessions(db) },
  { name: 'remove orphans', everyMs: day, run: (deps) => removeOrphans(deps, new Date(Date.now() - orphanAgeMs)) },
  { name: 'probe blocked', everyMs: day, run: ({ db }) => probeBlockedRuns(db) },
  { name: 'check counts', everyMs: day, run: checkCounts },
];

/** Keeps house until `stop` is called, which gives the lease back after the task in hand. */
export const startHousekeeper = (deps: Deps): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController();
  const ended = keepHouse(deps, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

const keepHouse = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  const holder = randomUUID();
  let held: Lease | undefined;
  let askedAt = 0;
  let finished = new Map<string, Date>();
  while (!signal.aborted) {
    try {
      // Not at every tick: each renewal is a write, and a home server's disk should be allowed to sleep.
      if (Date.now() - askedAt >= renewMs) {
        const lease = await acquireLease(deps.db, 'housekeeping', holder, leaseMs);
        askedAt = Date.now();
        if (lease !== undefined && lease.fencing !== held?.fencing) finished = await listFinishedTasks(deps.db);
        held = lease;
      }
      if (held !== undefined) await runDueTasks(deps, held, holder, finished, signal);
    } catch (error) {
      askedAt = 0;
      held = undefined;
      deps.log.warn({ err: error }, 'housekeeping was interrupted and goes on');
    }
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
  }
  if (held !== undefined) await releaseLease(deps.db, held).catch(() => undefined);
};

const runDueTasks = async (
  deps: Deps,
  lease: Lease,
  holder: string,
  finished: Map<string, Date>,
  signal: AbortSignal,
): Promise<void> => {
  // A long task keeps the lease by this timer; where the process is frozen, nothing renews it and another one takes over.
  const renewal = setInterval(() => {
    acquireLease(deps.db, lease.name, holder, leaseMs).catch(() => undefined);
  }, renewMs);
  try {
    for (const task of tasks) {
      if (signal.aborted) return;
      const last = finished.get(task.name)?.getTime() ?? 0;
      if (Date.now() - last < task.everyMs) continue;
      finished.set(task.name, new Date());
      try {
        await task.run(deps, lease);
        if (task.everyMs >= hour) await recordFinishedTask(deps.db, task.name);
      } catch (error) {
        deps.log.warn({ err: error, task: task.name }, 'a housekeeping task failed and will be tried again');
        finished.set(task.name, new Date(Date.now() - task.everyMs + 10 * second));
      }
    }
  } finally {
    clearInterval(renewal);
  }
};

async function foldAllCounts({ db }: Deps, lease: Lease): Promise<void> {
  if (!(await hasCountDeltas(db))) return;
  let folded: number;
  do {
    folded = await transaction(db, async (trx) => {
      await holdLease(trx, lease);
      return foldCounts(trx, foldBatch);
    });
  } while (folded === foldBatch);
}

async function checkCounts({ db, log }: Deps): Promise<void> {
  await deleteEmptyCounts(db);
  const errors = await findCountErrors(db);
  if (errors.length > 0) log.error({ errors }, 'kept counts differ from a recount');
}
