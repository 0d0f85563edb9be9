import { findMediaItemForWork } from '@hearth/core/items/mediaItems.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../context/deps.ts';

/** An object store for one run, which records the keys that the run writes. */
export interface RecordedWrites {
  readonly objects: ObjectStore;
  /** The keys that were written, or may have been; waits for writes under way. */
  list(): Promise<string[]>;
}

/** Passes all calls on to `objects`, and records the keys of writes. */
export const recordWrites = (objects: ObjectStore): RecordedWrites => {
  const writes = new Map<string, Promise<number>>();
  return {
    objects: {
      ...objects,
      put: (key, body, options) => {
        const write = objects.put(key, body, options);
        writes.set(key, write);
        return write;
      },
    },
    list: async () => {
      await Promise.allSettled(writes.values());
      return [...writes.keys()];
    },
  };
};

/**
 * Removes the objects that a run has written if its item was removed meanwhile: the removal may have listed the store before the run wrote.
 * While the item exists nothing is removed, since another worker's run may write the same keys. If this worker is killed first, the orphan
 * sweep removes the objects.
 */
export const removeWritesOfGone = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  mediaItemId: string,
  writes: RecordedWrites,
): Promise<void> => {
  try {
    const keys = await writes.list();
    if (keys.length === 0 || (await findMediaItemForWork(db, mediaItemId)) !== undefined) return;
    await objects.remove(keys);
    log.info({ objects: keys.length }, 'removed what was made of an item that is gone');
  } catch (error) {
    log.warn({ err: error }, 'what was made of an item that is gone is left to the orphan sweep');
  }
};
