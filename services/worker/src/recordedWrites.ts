import { findMediaItemForWork } from '@hearth/core/db/items/mediaItems.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from './deps.ts';

/** An object store as one run is given it. */
export interface RecordedWrites {
  readonly objects: ObjectStore;
  /** The keys of all that was written or may have been, once nothing is being written any more. */
  list(): Promise<string[]>;
}

/** Passes everything on to `objects`, and remembers what is written. */
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
 * Removes what a run has written where its item was removed meanwhile: the removal may have looked at the store before the run wrote to it. While the
 * item is there nothing is removed, since the worker that has the run now writes the same keys. What stays because this worker is killed first, the
 * orphan sweep finds.
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
