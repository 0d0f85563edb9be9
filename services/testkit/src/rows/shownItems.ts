import type { Database } from '@hearth/core/db/database.ts';

/** Returns the ids of the visible items of a collection, ordered by id. */
export const listVisibleItems = async (db: Database, collectionId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('collection_items')
    .select('media_item_id')
    .where('collection_id', '=', collectionId)
    .where('visibility', '=', 'visible')
    .orderBy('media_item_id')
    .execute();
  return rows.map(({ media_item_id }) => media_item_id);
};
