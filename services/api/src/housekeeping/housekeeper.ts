import { setTimeout as sleep } from 'node:timers/promises';
import { probeBlockedRuns } from '@hearth/core/db/capabilities.ts';
import {
  deleteEmptyCollectionCounts,
  findCollectionCountErrors,
  collectionLists,
  foldCollectionCounts,
  hasCollectionCountDeltas,
  mendCollectionTotals,
} from '@hearth/core/db/collectionCounts.ts';
import {
  deleteEmptyCounts,
  findCountErrors,
  mendTimeline,
  foldCounts,
  hasCountDeltas,
  libraryLists,
} from '@hearth/core/db/counts.ts';
import { trimEvents } from '@hearth/core/db/events.ts';
import { deleteLeftCells, divideHours, findCellErrors, findFullHours } from '@hearth/core/db/hourCells.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { forgetPeopleWithoutFaces } from '@hearth/core/db/forgetPeople.ts';
import { listFinishedTasks, recordFinishedTask } from '@hearth/core/db/housekeepingTasks.ts';
import type { Lease } from '@hearth/core/db/leases.ts';
import { deleteOldAttempts } from '@hearth/core/db/loginAttempts.ts';
import { deleteEmptyMapCells, findMapCountErrors, foldMapCounts, hasMapDeltas } from '@hearth/core/db/mapCounts.ts';
import { deleteExpiredSessions } from '@hearth/core/db/sessions.ts';
import type { Deps } from '../deps.ts';
import { competeForLease, type HeldLease } from './heldLease.ts';
import { runJobs } from './jobs.ts';
import { redoOutdated } from './redo.ts';
import { countOrphans, removeOrphans } from './orphans.ts';
import { emptyTrash, removeMarked } from './removal.ts';
import { sweep } from './sweep.ts';
import { underLease } from './underLease.ts';
import { expireUploads, finishReceivedUploads } from './uploads.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** How often a task may become due. */
const tickMs = 1 * second;

/** Age below which an object without a row is left alone: its upload is likely about to write the row. */
const orphanAgeMs = day;

/** Deltas folded in one transaction: about 50 ms of work. */
const foldBatch = 5_000;

/** How many events are kept, and for how long: after that a client loads its lists anew, which costs a few requests. */
const keptEvents = { keepHours: 24, keepCount: 200_000 } as const;

/**
 * Something that is done for the whole installation. The lease may pass to another process in the middle of it, without this one's
 * noticing: so it writes under the lease, or what does not matter when two do it at once.
 */
export interface Task {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (deps: Deps, lease: Lease) => Promise<unknown>;
}

/** What whichever API process holds the lease does. */
export const tasks: readonly Task[] = [
  { name: 'fold counts', everyMs: 2 * second, run: foldAllCounts },
  { name: 'run jobs', everyMs: second, run: runJobs },
  { name: 'sweep', everyMs: 3 * second, run: sweep },
  { name: 'remove', everyMs: 10 * second, run: removeMarked },
  { name: 'redo outdated', everyMs: 10 * second, run: redoOutdated },
  // Not under the lease, which is a write by itself: what is too old to count is so for every process.
  { name: 'forget attempts', everyMs: 60 * second, run: ({ db }) => deleteOldAttempts(db) },
  { name: 'finish uploads', everyMs: 60 * second, run: finishReceivedUploads },
  { name: 'trim events', everyMs: 600 * second, run: ({ db }) => trimEvents(db, keptEvents) },
  // Nor this, which takes turns with those who put faces to people.
  { name: 'forget people', everyMs: hour, run: ({ db }) => forgetPeopleWithoutFaces(db) },
  { name: 'expire uploads', everyMs: hour, run: expireUploads },
  { name: 'empty trash', everyMs: hour, run: (deps, lease) => emptyTrash(deps, lease, deps.config.trashDays) },
  { name: 'end sessions', everyMs: hour, run: ({ db }, lease) => underLease(db, lease, deleteExpiredSessions) },
  { name: 'remove orphans', everyMs: day, run: removeOldOrphans },
  { name: 'count orphans', everyMs: 600 * second, run: countOrphans },
  { name: 'probe blocked', everyMs: day, run: ({ db }, lease) => underLease(db, lease, probeBlockedRuns) },
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
  const held = competeForLease(deps.db, 'housekeeping');
  let lastFencing = 0;
  let finished = new Map<string, Date>();
  while (!signal.aborted) {
    try {
      const lease = await held.find();
      if (lease !== undefined && lease.fencing !== lastFencing) {
        finished = await listFinishedTasks(deps.db);
        lastFencing = lease.fencing;
      }
      if (lease !== undefined) await held.whileRenewing(() => runDueTasks(deps, held, lease, finished, signal));
    } catch (error) {
      held.doubt();
      deps.log.warn({ err: error }, 'housekeeping was interrupted and goes on');
    }
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
  }
  await held.release().catch(() => undefined);
};

const runDueTasks = async (
  deps: Deps,
  held: HeldLease,
  lease: Lease,
  finished: Map<string, Date>,
  signal: AbortSignal,
): Promise<void> => {
  for (const task of tasks) {
    if (signal.aborted || !held.isSure(lease)) return;
    const last = finished.get(task.name)?.getTime() ?? 0;
    if (Date.now() - last < task.everyMs) continue;
    finished.set(task.name, new Date());
    try {
      await task.run(deps, lease);
      if (task.everyMs >= hour) await underLease(deps.db, lease, (trx) => recordFinishedTask(trx, task.name));
    } catch (error) {
      deps.log.warn({ err: error, task: task.name }, 'a housekeeping task failed and will be tried again');
      finished.set(task.name, new Date(Date.now() - task.everyMs + 10 * second));
    }
  }
};

async function foldAllCounts({ db }: Deps, lease: Lease): Promise<void> {
  await foldAll(db, lease, hasCountDeltas, foldCounts);
  await foldAll(db, lease, hasCollectionCountDeltas, foldCollectionCounts);
  await foldAll(db, lease, hasMapDeltas, foldMapCounts);
}

async function foldAll(
  db: Database,
  lease: Lease,
  hasDeltas: (db: Database) => Promise<boolean>,
  fold: (trx: Database, limit: number) => Promise<number>,
): Promise<void> {
  if (!(await hasDeltas(db))) return;
  let folded: number;
  do {
    folded = await underLease(db, lease, (trx) => fold(trx, foldBatch));
  } while (folded === foldBatch);
}

async function removeOldOrphans(deps: Deps, lease: Lease): Promise<void> {
  await removeOrphans(deps, lease, new Date(Date.now() - orphanAgeMs));
}

async function checkCounts({ db, log }: Deps, lease: Lease): Promise<void> {
  await underLease(db, lease, deleteEmptyCounts);
  await underLease(db, lease, deleteEmptyCollectionCounts);
  await underLease(db, lease, deleteEmptyMapCells);
  const errors = [
    ...(await findCountErrors(db)),
    ...(await findCollectionCountErrors(db)),
    ...(await findMapCountErrors(db)),
  ];
  if (errors.length > 0) log.error({ errors }, 'kept counts differ from a recount');
  const mended = await underLease(db, lease, mendCollectionTotals);
  if (mended > 0) log.warn({ mended }, 'totals of collections differed from their counts');
  const timelines = await underLease(db, lease, mendTimeline);
  if (timelines > 0)
    log.error({ mended: timelines }, 'counts of timelines differed from the counts that they are sums of');
  await underLease(db, lease, deleteLeftCells);
  for (const lists of [libraryLists, collectionLists]) {
    const wrong = await findCellErrors(db, lists);
    // A replica of the version before, which knows of no cells, may have folded during an update.
    if (wrong.length > 0) log.warn({ hours: wrong }, 'cells of full hours differ from a recount and are made anew');
    const hours = [...wrong, ...(await findFullHours(db, lists))];
    for (const hour of hours) await underLease(db, lease, (trx) => divideHours(trx, [hour], lists));
  }
}
