import type { EnqueueOptions, JobToEnqueue, Priority } from './queue.ts';

/**
 * [Note: Fair queueing] Owners take turns (round robin). BullMQ hands out the job with the lowest priority number first, so the priority of a
 * job is the round in which its owner has a turn. The first job of an owner who has none waiting joins the round of the job that is next; each
 * further job comes a round after the owner's last one. So a hundred photos of one owner and three of another are taken in turn. Rounds only
 * go up, so nobody waits for ever, and the jobs of one owner keep their order.
 *
 * The back end tells which round is next. The last round of each owner is known only to the process that enqueued the job: with several
 * processes, or after a restart, an owner has at most one turn in a round for each of these processes.
 */
export interface FairPriorities {
  /** The priorities of jobs, in their order; `next` is the priority of the job that is next, if any waits. */
  prioritiesOf(
    jobs: readonly JobToEnqueue[],
    next: number | undefined,
    options: { readonly priority: Priority } & EnqueueOptions,
  ): number[];
}

/** The highest number that BullMQ takes is 2^21. Library-wide work has the upper half, behind every upload. */
const roundsEach = 2 ** 20;
const first = { upload: 1, library: roundsEach } as const satisfies Record<Priority, number>;

/** Owners whose last rounds are remembered. With more owners at a time, those who have enqueued least recently begin anew. */
const maxOwners = 10_000;

/** Remembers the last rounds of the owners of one pool. */
export const openFairPriorities = (): FairPriorities => {
  const last = new Map<string, number>();
  return {
    prioritiesOf: (jobs, next, { priority, isAnew = false }) => {
      const isUploadNext = next !== undefined && next < first.library;
      // No upload waits, so all owners begin anew.
      if (!isUploadNext) last.clear();
      // Library-wide work comes in small batches: the owners of one batch take turns, whichever round is next.
      const start = priority === 'upload' && isUploadNext ? next : first[priority];
      const isKept = priority === 'upload' && !isAnew;
      const rounds = isKept ? last : new Map<string, number>();
      return jobs.map(({ ownerId = '' }) => {
        const round = Math.min(Math.max(start, (rounds.get(ownerId) ?? 0) + 1), first[priority] + roundsEach - 2);
        // Deleted first, so that the map stays in the order of the last use.
        rounds.delete(ownerId);
        if (rounds.size >= maxOwners) rounds.delete(rounds.keys().next().value!);
        rounds.set(ownerId, round);
        return round;
      });
    },
  };
};
