import { findDueItemOfOthers } from '@hearth/core/db/items/overtakingItem.ts';
import type { PoolName } from '@hearth/core/pipeline.ts';
import type { Deps } from './deps.ts';

/** Knows whose photos a worker has in hand, and keeps one more place for the photo of another owner. */
export interface SparePlace {
  /** Works on a photo of an owner. The first photo of an owner who comes beside others is opened by the tools of the spare place. */
  during(ownerId: string, work: (deps: Deps) => Promise<void>): Promise<void>;
  /** Takes no further photo past the queue, and resolves when the one in hand is done. */
  end(): Promise<void>;
}

/** How a spare place is made. */
export interface SparePlaceOptions {
  readonly pool: PoolName;
  /** Whether every ordinary place is taken, so that the queue gives nothing more. */
  readonly isFull: () => boolean;
  /** Does what is undone of an item, as its queue job does, by calling `during`. */
  readonly work: (mediaItemId: string) => Promise<void>;
}

/** Milliseconds between two looks for the photo of somebody else while every place is taken. */
const lookMs = 500;

/**
 * Opens the spare place of a worker. While the files of one owner take every ordinary place, however long, a photo of somebody else is done in
 * this one: the queue gives no more jobs then, so the database is asked. Its job, when it is handed out, finds nothing left to do.
 */
export const openSparePlace = (deps: Deps, { pool, isFull, work }: SparePlaceOptions): SparePlace => {
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
