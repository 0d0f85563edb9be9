import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { MediaItemRow } from '../db/schema.ts';

/**
 * Condition that the row aliased `item` is in a shared album of its user. Lists select it as a column, which is cheaper
 * than a second query.
 */
export const isListedItemShared = sql<boolean>`exists (
  select from collection_items join albums on albums.id = collection_id
  where media_item_id = item.id and albums.user_id = item.user_id and is_shared)`;

export const findSharedIds = async (
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  // The `exists` makes the query cheap for most users, who share nothing.
  const { rows } = await sql<{ id: string }>`
    select distinct media_item_id as id
    from collection_items join albums on albums.id = collection_id
    where media_item_id = any(${ids}::uuid[]) and albums.user_id = ${userId} and is_shared
      and exists (select from albums where user_id = ${userId} and is_shared)`.execute(prepared(db, 'shared_ids'));
  return new Set(rows.map(({ id }) => id));
};

/** Returns true if a shared album contains the item, or the Live Photo that shows it. */
export const isItemShared = async (
  db: Database,
  { id, user_id, content_identifier }: Pick<MediaItemRow, 'id' | 'user_id' | 'content_identifier'>,
): Promise<boolean> => {
  const photos = await db
    .selectFrom('media_items')
    .select('id')
    .where('user_id', '=', user_id)
    .where('content_identifier', '=', content_identifier)
    .where('motion_item_id', '=', id)
    .execute();
  return (await findSharedIds(db, user_id, [id, ...photos.map((photo) => photo.id)])).size > 0;
};
