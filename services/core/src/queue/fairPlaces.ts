import type { EnqueueOptions, JobToEnqueue, Priority } from './queue.ts';

/**
 * [Note: Fair places] A job's place is its BullMQ priority, the lowest first. Owners take turns: the first job of an owner who has none waiting
 * stands beside the one at the head of the line, each further one a place behind the owner's last. So a hundred photos of one owner and three of
 * another are taken in turn, nobody waits for ever, as the head moves on with every round, and an owner's own jobs keep their order.
 *
 * Where the head stands tells the back end. Where an owner's last job stands is remembered by the process that put it there: with several
 * processes, or after a restart, an owner may have as many jobs in a round as there have been processes, and no more.
 */
export interface FairPlaces {
  /** The places of jobs, in their order; `head` is the place of the job that is next, if any waits. */
  placesOf(
    jobs: readonly JobToEnqueue[],
    head: number | undefined,
    options: { readonly priority: Priority } & EnqueueOptions,
  ): number[];
}

/** The highest place that BullMQ knows is 2^21. Library-wide work stands in the upper half, behind every upload. */
const placesEach = 2 ** 20;
const first = { upload: 1, library: placesEach } as const satisfies Record<Priority, number>;

/** Owners whose last places are remembered; with more of them at a time, those who have enqueued least recently begin anew. */
const maxOwners = 10_000;

/** Remembers the places of one pool. */
export const openFairPlaces = (): FairPlaces => {
  const last = new Map<string, number>();
  return {
    placesOf: (jobs, head, { priority, isAnew = false }) => {
      const isUploadNext = head !== undefined && head < first.library;
      // Nobody waits: the circle begins anew.
      if (!isUploadNext) last.clear();
      // Library-wide work waits a few hundred jobs at a time: those of one batch take turns, wherever the head is.
      const start = priority === 'upload' && isUploadNext ? head : first[priority];
      const isKept = priority === 'upload' && !isAnew;
      const taken = isKept ? last : new Map<string, number>();
      return jobs.map(({ ownerId = '' }) => {
        const next = Math.min(Math.max(start, (taken.get(ownerId) ?? 0) + 1), first[priority] + placesEach - 2);
        taken.delete(ownerId);
        if (taken.size >= maxOwners) taken.delete(taken.keys().next().value!);
        taken.set(ownerId, next);
        return next;
      });
    },
  };
};
