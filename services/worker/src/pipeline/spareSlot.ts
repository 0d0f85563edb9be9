import { findDueItemOfOthers } from '@hearth/core/runs/dueRuns.ts';
import type { PoolName } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../context/deps.ts';

/** An extra slot of a worker, for photos of owners who have no active photo in the worker. */
export interface SpareSlot {
  /** Processes a photo of an owner. If the worker has active photos of other owners only, it uses the tools of the spare slot. */
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
const lookMs = 500;

/**
 * Opens the spare slot of a worker. While one owner's files take all ordinary slots, the consumer dequeues no jobs. So the spare slot queries the
 * database for a due photo of another owner. The photo's own job later finds nothing to do.
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
