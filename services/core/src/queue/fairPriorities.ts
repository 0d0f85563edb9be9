import type { EnqueueOptions, JobToEnqueue, Priority } from './queue.ts';

/**
 * [Note: Fair queueing] Owners are served round robin. BullMQ delivers the job with the lowest priority number first,
 * so a job's priority is the number of its round. The first job of an owner without waiting jobs joins the round of the
 * next job. Each further job gets the round after the owner's last one. So a hundred photos of one owner and three of
 * another alternate. Rounds only increase, so no owner starves, and the jobs of one owner keep their order.
 *
 * The back end reports which round is next. Only the process that enqueued an owner's last job knows its round. So with
 * several processes, or after a restart, an owner has at most one job per round from each of these processes.
 */
export interface FairPriorities {
  /** Returns the priorities of `jobs`, in their order. `next` is the priority of the next waiting job, if any. */
  assignPriorities(
    jobs: readonly JobToEnqueue[],
    next: number | undefined,
    options: { readonly priority: Priority } & EnqueueOptions,
  ): number[];
}

/** BullMQ's maximum priority is 2^21. Library-wide work gets the upper half, after all uploads. */
const roundsPerPriority = 2 ** 20;
const firstRound = { upload: 1, library: roundsPerPriority } as const satisfies Record<Priority, number>;

/** Maximum number of owners to remember. With more, those who enqueued least recently start over. */
const maxOwners = 10_000;

/** Remembers the last rounds of owners in one pool. */
export const openFairPriorities = (): FairPriorities => {
  const lastRounds = new Map<string, number>();
  return {
    assignPriorities: (jobs, next, { priority, mayBeQueued = false }) => {
      const isUploadNext = next !== undefined && next < firstRound.library;
      // No upload waits, so all owners start over.
      if (!isUploadNext) lastRounds.clear();
      // Library-wide work comes in small batches: the owners in a batch alternate, independent of the next round.
      const start = priority === 'upload' && isUploadNext ? next : firstRound[priority];
      const isKept = priority === 'upload' && !mayBeQueued;
      const rounds = isKept ? lastRounds : new Map<string, number>();
      return jobs.map(({ ownerId = '' }) => {
        const round = Math.min(
          Math.max(start, (rounds.get(ownerId) ?? 0) + 1),
          firstRound[priority] + roundsPerPriority - 2,
        );
        // Deleted first, so that the map is ordered by last use.
        rounds.delete(ownerId);
        if (rounds.size >= maxOwners) rounds.delete(rounds.keys().next().value!);
        rounds.set(ownerId, round);
        return round;
      });
    },
  };
};
