import type { Log } from '@hearth/core/log.ts';
import type { MediaItemJob } from '@hearth/core/pipeline.ts';
import type { Priority } from '@hearth/core/queue/queue.ts';

/** Whose a video is, and how soon it is wanted. */
export interface VideoPlace {
  readonly ownerId: string;
  readonly priority: Priority;
}

/** Lets videos take turns, and their owners in a circle, so that photos find the rest of a worker free. */
export interface VideoTurns {
  /** Whether a job for the same item waits for its turn. */
  isWaiting(job: MediaItemJob): boolean;
  /**
   * Works on a video and then on those that have come meanwhile, or notes it for whoever is at that. So the queue sees one job in hand as
   * long as there are videos, and the others leave it: nothing but its list of runs that are due remembers them when this process dies.
   */
  take(job: MediaItemJob, place: VideoPlace): Promise<void>;
  /** Begins no further video. */
  end(): void;
}

/** Opens the turns of one consumer; `work` is never called while an earlier call goes on. */
export const openVideoTurns = (work: (job: MediaItemJob) => Promise<void>, log: Log): VideoTurns => {
  // Each owner's by their items, in the order of the owners' turns; none of the inner maps is empty.
  const waiting: Readonly<Record<Priority, Map<string, Map<string, MediaItemJob>>>> = {
    upload: new Map(),
    library: new Map(),
  };
  let isTaken = false;
  let isEnded = false;

  const next = (): MediaItemJob | undefined => {
    for (const owners of [waiting.upload, waiting.library]) {
      for (const [ownerId, jobs] of owners) {
        owners.delete(ownerId);
        const [id, job] = jobs.entries().next().value!;
        jobs.delete(id);
        // Back to the end of the circle.
        if (jobs.size > 0) owners.set(ownerId, jobs);
        return job;
      }
    }
    return undefined;
  };

  return {
    isWaiting: ({ mediaItemId }) =>
      [waiting.upload, waiting.library].some((owners) => owners.values().some((jobs) => jobs.has(mediaItemId))),
    take: async (job, { ownerId, priority }) => {
      if (isEnded) return;
      const jobs = waiting[priority].get(ownerId) ?? new Map<string, MediaItemJob>();
      waiting[priority].set(ownerId, jobs.set(job.mediaItemId, job));
      if (isTaken) return;
      isTaken = true;
      for (let mine = next(); mine !== undefined; mine = next()) {
        await work(mine).catch((error: unknown) => log.error({ err: error, ...mine }, 'job failed'));
      }
      isTaken = false;
    },
    end: () => {
      isEnded = true;
      waiting.upload.clear();
      waiting.library.clear();
    },
  };
};
