import { trimAuditLog } from '../accounts/auditLog.ts';
import { trimEvents } from '../events/events.ts';
import { type Lease, underLease } from './leases/leases.ts';
import { deleteOldAttempts } from '../accounts/loginAttempts.ts';
import { deleteExpiredSessions } from '../accounts/sessions.ts';
import type { Deps } from '../deps/deps.ts';
import { changeSearchModel } from './runs/changeSearchModel.ts';
import { checkCounts, rollUpAllCounts } from './counts.ts';
import { runJobs } from './runs/jobs.ts';
import { measureOriginals, measureScrub, scrub } from './scrub/scrub.ts';
import { countOrphans, removeOrphans } from './orphans.ts';
import { restartOutdated } from './runs/restartOutdated.ts';
import { deleteSwitchedOffPeople, updatePeopleClocks } from './peopleOff.ts';
import { emptyTrash, finishAlbumRemovals, removeMarked } from './removal.ts';
import { groupDuplicates } from './groupDuplicates.ts';
import { sweep } from './runs/sweep.ts';
import { expireUploads } from './uploads.ts';
import { probeBlockedRuns } from './runs/dueRuns.ts';
import { deleteUnusedPeople } from '../features/people/queries.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Minimum age of an orphaned object, in ms. A younger one may belong to an upload that is about to insert its row. */
const orphanAgeMs = day;

/** Retention of events. A client that missed more reloads its lists, which costs a few requests. */
const keptEvents = { keepHours: 24, keepCount: 200_000 } as const;

/**
 * A task for the whole installation. The lease may pass to another process during a task, without notice. So each write
 * must be fenced with the lease or be harmless in two processes.
 */
export interface Task {
  readonly name: string;
  /**
   * `short`: quick, and users wait for it. `long`: may take hours, and stops between two steps when aborted. `scrub`:
   * takes days.
   */
  readonly lane: Lane;
  readonly everyMs: number;
  readonly run: (deps: Deps, lease: Lease, signal: AbortSignal) => Promise<unknown>;
}

/** Names of the lanes. Each lane runs one of its tasks at a time. The lanes run concurrently. */
export const lanes = ['short', 'long', 'scrub'] as const;
export type Lane = (typeof lanes)[number];

/** Tasks with at least this interval are not repeated after a restart. */
export const minRememberedMs = hour;

export const tasks: readonly Task[] = [
  { name: 'roll up counts', lane: 'short', everyMs: 2 * second, run: rollUpAllCounts },
  { name: 'run jobs', lane: 'short', everyMs: second, run: runJobs },
  { name: 'sweep', lane: 'short', everyMs: 3 * second, run: sweep },
  { name: 'redo outdated', lane: 'short', everyMs: 10 * second, run: restartOutdated },
  { name: 'change search model', lane: 'short', everyMs: 10 * second, run: changeSearchModel },
  // Needs no lease, which would cost a write: two processes would delete the same old attempts.
  { name: 'forget attempts', lane: 'short', everyMs: 60 * second, run: ({ db }) => deleteOldAttempts(db) },
  { name: 'trim audit', lane: 'long', everyMs: hour, run: ({ db }) => trimAuditLog(db) },
  { name: 'trim events', lane: 'short', everyMs: 600 * second, run: ({ db }) => trimEvents(db, keptEvents) },
  // Needs no lease: takes the same locks as the assignment of faces to people.
  { name: 'forget people', lane: 'short', everyMs: hour, run: ({ db }) => deleteUnusedPeople(db) },
  { name: 'note people off', lane: 'short', everyMs: 3 * second, run: updatePeopleClocks },
  {
    name: 'end sessions',
    lane: 'short',
    everyMs: hour,
    run: ({ db }, lease) => underLease(db, lease, deleteExpiredSessions),
  },
  {
    name: 'probe blocked',
    lane: 'short',
    everyMs: day,
    run: ({ db }, lease) => underLease(db, lease, probeBlockedRuns),
  },
  { name: 'remove', lane: 'long', everyMs: 10 * second, run: removeMarked },
  { name: 'settle duplicates', lane: 'long', everyMs: 10 * second, run: groupDuplicates },
  { name: 'count originals', lane: 'long', everyMs: 600 * second, run: measureOriginals },
  { name: 'measure scrub', lane: 'long', everyMs: 10 * second, run: measureScrub },
  { name: 'count orphans', lane: 'long', everyMs: 600 * second, run: countOrphans },
  { name: 'forget switched-off people', lane: 'long', everyMs: 600 * second, run: deleteSwitchedOffPeople },
  { name: 'finish albums', lane: 'long', everyMs: hour, run: finishAlbumRemovals },
  { name: 'expire uploads', lane: 'long', everyMs: hour, run: expireUploads },
  {
    name: 'empty trash',
    lane: 'long',
    everyMs: hour,
    run: (deps, lease) => emptyTrash(deps, lease, deps.config.trashDays),
  },
  {
    name: 'remove orphans',
    lane: 'long',
    everyMs: day,
    run: (deps, lease, signal) => removeOrphans(deps, lease, new Date(Date.now() - orphanAgeMs), signal),
  },
  { name: 'scrub', lane: 'scrub', everyMs: 600 * second, run: scrub },
  { name: 'check counts', lane: 'long', everyMs: day, run: checkCounts },
];
