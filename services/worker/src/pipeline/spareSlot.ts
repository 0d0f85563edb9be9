import { findDueItemOfOthers } from '@hearth/core/runs/dueRuns.ts';
import type { PoolName } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../context/deps.ts';

/** One more slot of a worker, for the photo of an owner who has none in hand there. */
export interface SpareSlot {
  /**
   * Works on a photo of an owner. While the worker has photos of others, the first photo of an owner is opened by the tools of the spare
   * slot.
   */
  during(ownerId: string, work: (deps: Deps) => Promise<void>): Promise<void>;
  /** Takes no further photo from the database, and resolves when the present one is done. */
  end(): Promise<void>;
}

/** What `openSpareSlot` needs. */
export interface SpareSlotOptions {
  readonly pool: PoolName;
  /** Whether all ordinary slots are taken, so that the consumer takes no job from the queue. */
  readonly isFull: () => boolean;
  /** Executes the due runs of an item, as its queue job does, by calling `during`. */
  readonly work: (mediaItemId: string) => Promise<void>;
}

/** Milliseconds between two looks for another owner's photo while all slots are taken. */
const lookMs = 500;

/**
 * Opens the spare slot of a worker. While the files of one owner take all ordinary slots, the consumer gets no more jobs; so this asks the
 * database for a due photo of another owner. That photo's own job later finds nothing left to do.
 */
export const openSpareSlot = (deps: Deps, { pool, isFull, work }: SpareSlotOptions): SpareSlot => {
  const inHand = new Map<string, number>();
  let isTaken = false;
  let overtaking: Promise<void> | undefined;

  const overtake = async (): Promise<void> => {
    const id = await findDueItemOfOthers(deps.db, pool, [...inHand.keys()], deps.pipeline);
    if (id !== undefined && !deps.stopping.aborted) await work(id);
  };
  const look = setInterval(() => {
    if (overtaking !== undefined || !isFull()) return;
    overtaking = overtake()
      .catch((error: unknown) => deps.log.debug({ err: error, pool }, 'nobody overtakes'))
      .finally(() => (overtaking = undefined));
  }, lookMs).unref();

  return {
    during: async (ownerId, run) => {
      const isSpare = !isTaken && inHand.size > 0 && !inHand.has(ownerId);
      if (isSpare) isTaken = true;
      inHand.set(ownerId, (inHand.get(ownerId) ?? 0) + 1);
      try {
        await run(isSpare ? { ...deps, ...deps.spare } : deps);
      } finally {
        const left = inHand.get(ownerId)! - 1;
        if (left === 0) inHand.delete(ownerId);
        else inHand.set(ownerId, left);
        if (isSpare) isTaken = false;
      }
    },
    end: async () => {
      clearInterval(look);
      await overtaking;
    },
  };
};
