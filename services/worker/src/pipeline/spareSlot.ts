import { findDueItemOfOthers } from '@hearth/core/runs/dueRuns.ts';
import type { PoolName } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../context/deps.ts';

/** An extra slot of a worker, for photos of owners who have no active photo in the worker. */
export interface SpareSlot {
  /**
   * Processes a photo of an owner. Uses the tools of the spare slot if the slot is free, and if the worker has active photos, but none of this owner.
   */
  during(ownerId: string, work: (deps: Deps) => Promise<void>): Promise<void>;
  /** Takes no further photo from the database, and resolves when the active one is done. */
  end(): Promise<void>;
}

export interface SpareSlotOptions {
  readonly pool: PoolName;
  /** True if all ordinary slots are taken, so that the consumer dequeues no job. */
  readonly isFull: () => boolean;
  /** Executes the due runs of an item like a queue job, by calling `during`. */
  readonly work: (mediaItemId: string) => Promise<void>;
}

/** Interval of looking for another owner's photo while all slots are taken, in ms. */
const checkIntervalMs = 500;

/**
 * Opens the spare slot of a worker. While one owner's files take all ordinary slots, the consumer dequeues no jobs. So the spare slot queries the
 * database for a due photo of another owner. The photo's own job later finds nothing to do.
 */
export const openSpareSlot = (deps: Deps, { pool, isFull, work }: SpareSlotOptions): SpareSlot => {
  const activeItemsByOwner = new Map<string, number>();
  let isTaken = false;
  let activeRun: Promise<void> | undefined;

  const runItemOfOtherOwner = async (): Promise<void> => {
    const id = await findDueItemOfOthers(deps.db, pool, [...activeItemsByOwner.keys()], deps.pipeline);
    if (id !== undefined && !deps.stopping.aborted) await work(id);
  };
  const checkTimer = setInterval(() => {
    if (activeRun !== undefined || !isFull()) return;
    activeRun = runItemOfOtherOwner()
      .catch((error: unknown) => deps.log.debug({ err: error, pool }, 'could not fill the spare slot'))
      .finally(() => (activeRun = undefined));
  }, checkIntervalMs).unref();

  return {
    during: async (ownerId, run) => {
      const isSpare = !isTaken && activeItemsByOwner.size > 0 && !activeItemsByOwner.has(ownerId);
      if (isSpare) isTaken = true;
      activeItemsByOwner.set(ownerId, (activeItemsByOwner.get(ownerId) ?? 0) + 1);
      try {
        await run(isSpare ? { ...deps, ...deps.spareTools } : deps);
      } finally {
        const remaining = activeItemsByOwner.get(ownerId)! - 1;
        if (remaining === 0) activeItemsByOwner.delete(ownerId);
        else activeItemsByOwner.set(ownerId, remaining);
        if (isSpare) isTaken = false;
      }
    },
    end: async () => {
      clearInterval(checkTimer);
      await activeRun;
    },
  };
};
