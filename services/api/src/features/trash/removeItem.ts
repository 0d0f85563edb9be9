import { deleteRemovedItems, type RemovedItem } from './removal.ts';
import { mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../../deps/deps.ts';

/** Deletes a marked item, objects first. Housekeeping completes it after a crash. */
export const removeItem = async ({ db, objects }: Pick<Deps, 'db' | 'objects'>, item: RemovedItem): Promise<void> => {
  await removeObjectsOfItems(objects, [item]);
  await deleteRemovedItems(db, [item.id]);
};

/** Concurrent listings of items' objects. */
const maxConcurrentListings = 10;

/** Deletes all objects of these items. Each item has few. */
export const removeObjectsOfItems = async (objects: ObjectStore, items: readonly RemovedItem[]): Promise<void> => {
  for (let begin = 0; begin < items.length; begin += maxConcurrentListings) {
    const listed = items
      .slice(begin, begin + maxConcurrentListings)
      .map(async ({ id, userId }) => Array.fromAsync(objects.list(mediaItemPrefix(userId, id)), ({ key }) => key));
    await objects.remove((await Promise.all(listed)).flat());
  }
};
