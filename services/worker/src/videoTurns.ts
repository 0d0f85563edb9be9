import type { Log } from '@hearth/core/log.ts';
import type { MediaItemJob } from '@hearth/core/pipeline.ts';
import type { Priority } from '@hearth/core/queue/queue.ts';

/** Lets videos take turns, so that photos find the rest of a worker free. */
export interface VideoTurns {
  /** Whether a job for the same item waits for its turn. */
  isWaiting(job: MediaItemJob): boolean;
  /**
   * Works on a video and then on those that have come meanwhile, or notes it for whoever is at that. So the queue sees one job in hand as
   * long as there are videos, and the others leave it: nothing but its list of runs that are due remembers them when this process dies.
   */
  take(job: MediaItemJob, priority: Priority): Promise<void>;
  /** Begins no further video. */
  end(): void;
}

/** Opens the turns of one consumer; `work` is never called while an earlier call goes on. */
export const openVideoTurns = (work: (job: MediaItemJob) => Promise<void>, log: Log): VideoTurns => {
  const waiting: Readonly<Record<Priority, Map<string, MediaItemJob>>> = { upload: new Map(), library: new Map() };
  let isTaken = false;
  let isEnded = false;

  const next = (): MediaItemJob | undefined => {
    for (const jobs of [waiting.upload, waiting.library]) {
      for (const [id, job] of jobs) {
        jobs.delete(id);
        return job;
      }
    }
    return undefined;
  };

  return {
    isWaiting: ({ mediaItemId }) => waiting.upload.has(mediaItemId) || waiting.library.has(mediaItemId),
    take: async (job, priority) => {
      if (isEnded) return;
      waiting[priority].set(job.mediaItemId, job);
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
