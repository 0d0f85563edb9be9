import { sql } from 'kysely';
import { NotFoundError } from '../log/errors.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { MediaItemRow } from '../db/schema.ts';

/** @throws NotFoundError also if the item is another user's */
export const getMediaItem = async (db: Database, userId: string, id: string): Promise<MediaItemRow> =>
  selectPresentItems(prepared(db, 'media_item'))
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));

/** Returns an item of any user, for workers; undefined if it is deleted or being deleted. */
export const findMediaItemForWork = async (db: Database, id: string): Promise<MediaItemRow | undefined> =>
  selectPresentItems(prepared(db, 'item_for_work')).selectAll().where('id', '=', id).executeTakeFirst();

/** Selects items that are not being deleted. */
const selectPresentItems = (db: Database) => db.selectFrom('media_items').where('removing_at', 'is', null);

/**
 * Locks a user's items until the transaction ends, ordered by id as everywhere, so that two transactions on the same
 * items cannot deadlock. `share` prevents changes, and `update` also other locks.
 * @throws NotFoundError if an item is not the user's
 */
export const lockItems = async (
  trx: Database,
  userId: string,
  ids: readonly string[],
  strength: 'share' | 'update',
): Promise<void> => {
  const { rows } = await sql`
    select from media_items
    where user_id = ${userId} and id = any(${ids}::uuid[]) and removing_at is null order by id for ${sql.raw(strength)}`.execute(
    trx,
  );
  if (rows.length < new Set(ids).size) throw new NotFoundError('media item');
};
