import { sql } from 'kysely';
import type { MediaItemUpdate, TextLine } from '@hearth/contract/mediaItem.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';

/** Returns an item and whether it is in a shared album. @throws NotFoundError also if the item is another user's */
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

/** Finds a user's items by hex checksum, also in the trash. The keys of the result are in lower case. */
export const findByChecksums = async (
  db: Database,
  userId: string,
  checksums: readonly string[],
): Promise<Map<string, Pick<MediaItemRow, 'id' | 'user_id' | 'checksum' | 'size_bytes'>>> => {
  const wanted = checksums.map((checksum) => Buffer.from(checksum, 'hex'));
  const rows = await prepared(db, 'checksums')
    .selectFrom('media_items')
    .where('removing_at', 'is', null)
    .select(['id', 'user_id', 'checksum', 'size_bytes'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`checksum = any(${wanted}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.checksum.toString('hex'), row]));
};

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

/** Returns the recognized lines of an item in reading order. Does not check who owns the item. */
export const listItemText = async (db: Database, mediaItemId: string): Promise<readonly TextLine[]> => {
  const { rows } = await sql<{ lines: readonly TextLine[] }>`
    select lines from media_item_texts where media_item_id = ${mediaItemId}`.execute(prepared(db, 'item_text'));
  return rows[0]?.lines ?? [];
};
