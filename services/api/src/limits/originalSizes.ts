import { findOriginalSize } from '@hearth/core/db/items/mediaItems.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';

/** The recorded sizes of originals, in bytes. */
export interface OriginalSizes {
  /** Returns undefined for an unknown item. */
  find(mediaItemId: string): Promise<number | undefined>;
}

/** Sizes in memory: about 1.5 MB. */
const maxCached = 10_000;

/** Caches sizes, which never change. A video player requests dozens of ranges of one original. */
export const createOriginalSizes = (db: Database): OriginalSizes => {
  const cached = new Map<string, number>();
  return {
    find: async (id) => {
      const known = cached.get(id);
      if (known !== undefined) return known;
      const sizeBytes = await findOriginalSize(db, id);
      if (sizeBytes === undefined) return undefined;
      if (cached.size >= maxCached) cached.delete(cached.keys().next().value!);
      cached.set(id, sizeBytes);
      return sizeBytes;
    },
  };
};
