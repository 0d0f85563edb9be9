import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { refuseAbandoned } from '../uploads/abandonedItems.ts';
import { transaction, type Database } from '../connection/database.ts';
import { prepared } from '../connection/preparedReads.ts';
import { lockLivePhotos } from './livePhotos.ts';
import type { MediaItemRow, NewMediaItem } from '../connection/schema.ts';
import { isListedItemShared } from '../collections/sharedItems.ts';
import { firstRuns, type PipelineOptions } from '../runs/switchedOffRuns.ts';
import { refuseOverQuota } from '../accounts/quotas.ts';
import { setTrashed } from './trash.ts';
import { getUser } from '../accounts/users.ts';

/** What became of an upload: a new item, or the one that has the same bytes already. */
export interface Inserted {
  readonly id: string;
  readonly isNew: boolean;
}

/**
 * Inserts an item and one run per component, in one transaction. Where the user has an item with the same checksum, nothing is inserted and
 * that item's id is answered; one in the trash is restored. @throws NotFoundError without the account, and AppError QUOTA_EXCEEDED; and see [Note: Abandoned items]
 */
export const insertMediaItem = async (
  db: Database,
  item: NewMediaItem,
  pipeline: PipelineOptions = {},
  { hasReservedRoom = false } = {},
): Promise<Inserted> =>
  transaction(db, async (trx) => {
    const { features, quota_bytes: quotaBytes } = await getUser(trx, item.user_id);
    // The item with the same bytes may be removed between the two statements: then the new one can be inserted after all.
    for (;;) {
      const inserted = await trx
        .insertInto('media_items')
        .values(item)
        .onConflict((on) => on.columns(['user_id', 'checksum']).where('removing_at', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) {
        await refuseOverQuota(trx, item.user_id, quotaBytes, hasReservedRoom);
        await refuseAbandoned(trx, inserted.id);
        await trx
          .insertInto('component_runs')
          .values(firstRuns(item, features, pipeline))
          .execute();
        return { id: inserted.id, isNew: true };
      }
      // Before the twin's row, since it may be restored, and with it another half of a Live Photo.
      await lockLivePhotos(trx, item.user_id, { ids: [] });
      const twin = await trx
        .selectFrom('media_items')
        .select(['id', 'deleted_at'])
        .where('user_id', '=', item.user_id)
        .where('checksum', '=', item.checksum)
        .where('removing_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (twin !== undefined) {
        if (twin.deleted_at !== null) await setTrashed(trx, item.user_id, [twin.id], false);
        return { id: twin.id, isNew: false };
      }
    }
  });

/** @throws NotFoundError also where the item is another user's. */
export const getMediaItem = async (db: Database, userId: string, id: string): Promise<MediaItemRow> => {
  const item = await prepared(db, 'media_item')
    .selectFrom('media_items')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .executeTakeFirst();
  if (item === undefined) throw new NotFoundError('media item');
  return item;
};

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

/** What a person may change of an item. */
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
  const updated = await db
    .updateTable('media_items')
    .set({ description, is_favourite: isFavourite, is_hidden: isHidden, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removing_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (updated === undefined) throw new NotFoundError('media item');
};
