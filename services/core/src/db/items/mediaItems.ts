import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/preparedReads.ts';
import type { MediaItemRow } from '../connection/schema.ts';
import { isListedItemShared } from './sharedItems.ts';

/** @throws NotFoundError also where the item is another user's. */
export const getMediaItem = async (db: Database, userId: string, id: string): Promise<MediaItemRow> =>
  prepared(db, 'media_item')
    .selectFrom('media_items')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));

/** An item as its user is shown it: with whether it is in a shared album. @throws NotFoundError also where the item is another user's. */
export const getShownItem = async (
  db: Database,
  userId: string,
  id: string,
): Promise<{ readonly item: MediaItemRow; readonly isShared: boolean }> => {
  const { rows } = await sql<MediaItemRow & { readonly is_shared: boolean }>`
    select item.*, ${isListedItemShared} as is_shared from media_items as item
    where id = ${id} and user_id = ${userId} and removing_at is null`.execute(prepared(db, 'shown_item'));
  const [row] = rows;
  if (row === undefined) throw new NotFoundError('media item');
  const { is_shared: isShared, ...item } = row;
  return { item, isShared };
};

/** The item that a worker is asked to look at, of any owner; undefined where it has been removed or is being removed. */
export const findMediaItemForWork = async (db: Database, id: string): Promise<MediaItemRow | undefined> =>
  prepared(db, 'item_for_work')
    .selectFrom('media_items')
    .selectAll()
    .where('id', '=', id)
    .where('removing_at', 'is', null)
    .executeTakeFirst();

export interface ItemChanges {
  readonly description?: string | null | undefined;
  readonly isFavourite?: boolean | undefined;
  readonly isHidden?: boolean | undefined;
}

/** Changes what is given and leaves the rest. @throws NotFoundError */
export const updateMediaItem = async (
  db: Database,
  userId: string,
  id: string,
  { description, isFavourite, isHidden }: ItemChanges,
): Promise<void> => {
  await db
    .updateTable('media_items')
    .set({ description, is_favourite: isFavourite, is_hidden: isHidden, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));
};
