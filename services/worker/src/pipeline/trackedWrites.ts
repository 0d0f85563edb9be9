import { findMediaItemForWork } from '@hearth/core/items/mediaItems.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../context/deps.ts';

/** An object store for one run, which records the keys that the run writes. */
export interface TrackedWrites {
  readonly objects: ObjectStore;
  /** Returns the keys that were or may have been written. Waits for pending writes. */
  list(): Promise<string[]>;
}

/** Passes all calls to `objects`, and records the keys of writes. */
export const trackWrites = (objects: ObjectStore): TrackedWrites => {
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
 * Deletes the objects that a run has written if its item was deleted meanwhile: the removal may have listed the store before. Deletes nothing while
 * the item exists, because another worker's run may write the same keys. If this worker is killed first, the orphan sweep deletes the objects.
 */
export const removeWritesOfDeletedItem = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  mediaItemId: string,
  writes: TrackedWrites,
): Promise<void> => {
  try {
    const keys = await writes.list();
    if (keys.length === 0 || (await findMediaItemForWork(db, mediaItemId)) !== undefined) return;
    await objects.remove(keys);
    log.info({ objects: keys.length }, 'removed renditions of a deleted item');
  } catch (error) {
    log.warn({ err: error }, 'could not remove renditions of a deleted item; the orphan sweep will remove them');
  }
};
