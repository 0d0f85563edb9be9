import { deleteRemovedItems, type RemovedItem } from './removal.ts';
import { mediaItemPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../../deps/deps.ts';

/** Removes one marked item: first its objects, then its rows. After a crash in between, housekeeping completes the removal. */
export const removeItem = async ({ db, objects }: Pick<Deps, 'db' | 'objects'>, item: RemovedItem): Promise<void> => {
  await removeObjectsOf(objects, [item]);
  await deleteRemovedItems(db, [item.id]);
};

/** Items whose objects are listed at the same time. */
const listedAtOnce = 10;

/** Removes all objects of these items; an item has few. */
export const removeObjectsOf = async (objects: ObjectStore, items: readonly RemovedItem[]): Promise<void> => {
  for (let begin = 0; begin < items.length; begin += listedAtOnce) {
    const listed = items
      .slice(begin, begin + listedAtOnce)
      .map(async ({ id, userId }) => Array.fromAsync(objects.list(mediaItemPrefix(userId, id)), ({ key }) => key));
    await objects.remove((await Promise.all(listed)).flat());
  }
};
