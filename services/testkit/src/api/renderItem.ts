import { Readable } from 'node:stream';
import { posterKey, previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import type { MediaItemChanges } from '@hearth/core/db/schema.ts';
import type { TestApi } from './testApi.ts';

/** Stores the renditions of an item that the API uses, like a worker. Each object contains its own key. */
export const renderItem = async (
  { deps: { db, objects } }: Pick<TestApi, 'deps'>,
  userId: string,
  id: string,
  changes: MediaItemChanges = {},
): Promise<void> => {
  const keys = {
    preview_key: previewKey(userId, id, 1),
    thumbnail_key: thumbnailKey(userId, id, 1),
    poster_key: posterKey(userId, id, 1),
    ...changes,
  };
  for (const key of Object.entries(keys).flatMap(([name, key]) => (name.endsWith('_key') ? key : null))) {
    if (typeof key === 'string') await objects.put(key, Readable.from([Buffer.from(key)]));
  }
  await db
    .updateTable('media_items')
    .set({ status: 'READY', ...keys })
    .where('id', '=', id)
    .execute();
};
