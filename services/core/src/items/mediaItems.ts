import { sql } from 'kysely';
import type { MediaItemUpdate } from '@hearth/contract/mediaItem.ts';
import { NotFoundError } from '../log/errors.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { MediaItemRow } from '../db/schema.ts';
import { isListedItemShared } from './sharedItems.ts';

/** @throws NotFoundError also if the item is another user's */
export const getMediaItem = async (db: Database, userId: string, id: string): Promise<MediaItemRow> =>
  presentItems(prepared(db, 'media_item'))
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));

/** Returns those of the items that are visible and the user's, in the given order. */
export const listVisibleItems = async (
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<MediaItemRow[]> => {
  const { rows } = await sql<MediaItemRow>`
    select item.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, nth)
      join media_items as item on item.id = wanted.id
    where item.user_id = ${userId} and item.visibility = 'visible' order by nth`.execute(prepared(db, 'visible_items'));
  return rows;
};

/** Returns an item and if it is in a shared album. @throws NotFoundError also if the item is another user's */
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

/** Returns an item of any user, for workers; undefined if it is deleted or being deleted. */
export const findMediaItemForWork = async (db: Database, id: string): Promise<MediaItemRow | undefined> =>
  presentItems(prepared(db, 'item_for_work')).selectAll().where('id', '=', id).executeTakeFirst();

/** Finds a user's items by checksum, also in the trash. Checksums are in lower-case hex. */
export const findByChecksums = async (
  db: Database,
  userId: string,
  checksums: readonly string[],
): Promise<Map<string, Pick<MediaItemRow, 'id' | 'user_id' | 'checksum' | 'size_bytes'>>> => {
  const wanted = checksums.map((checksum) => Buffer.from(checksum, 'hex'));
  const rows = await presentItems(prepared(db, 'checksums'))
    .select(['id', 'user_id', 'checksum', 'size_bytes'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`checksum = any(${wanted}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.checksum.toString('hex'), row]));
};

/** Selects items that are not being deleted. */
const presentItems = (db: Database) => db.selectFrom('media_items').where('removing_at', 'is', null);

/** Changes the given fields only. @throws NotFoundError */
export const updateMediaItem = async (
  db: Database,
  userId: string,
  id: string,
  { description, favourite, hidden, ...others }: MediaItemUpdate,
): Promise<void> => {
  await db
    .updateTable('media_items')
    // A field of the contract that is not mapped to a column is a type error.
    .set({ description, is_favourite: favourite, is_hidden: hidden, ...(others satisfies Record<string, never>) })
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => new NotFoundError('media item'));
};

/**
 * Sets or clears a flag of all items, or of none. Does not touch items that have the value already.
 * @throws NotFoundError if an item is not the user's
 */
export const setFlag = async (
  db: Database,
  userId: string,
  ids: readonly string[],
  flag: 'favourite' | 'hidden',
  isSet: boolean,
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockItems(trx, userId, ids, 'update');
    const column = flag === 'favourite' ? 'is_favourite' : 'is_hidden';
    await trx
      .updateTable('media_items')
      .set({ [column]: isSet, updated_at: sql`now()` })
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(column, '!=', isSet)
      .execute();
  });

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
