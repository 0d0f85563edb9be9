import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockLivePhotos, pairLivePhotos, type LockedItem } from '@hearth/core/items/livePhotos.ts';

/**
 * Moves items to the trash or restores them, all or none. Items already in the trash keep their date. The video half of
 * a Live Photo follows its photo.
 * @throws NotFoundError if one of them is not the user's
 */
export const setTrashed = async (
  db: Database,
  userId: string,
  ids: readonly string[],
  isTrashed: boolean,
): Promise<void> =>
  transaction(db, async (trx) => {
    const wanted = new Set(ids);
    const locked = await lockLivePhotos(trx, userId, { ids: [...wanted] });
    const found = locked.filter(({ id }) => wanted.has(id));
    if (found.length < wanted.size) throw new NotFoundError('media item');
    const changing = found.filter(({ deletedAt }) => (deletedAt !== null) !== isTrashed);
    if (changing.length === 0) return;
    const followers = listFollowers(changing, isTrashed ? locked : changing);
    await trx
      .updateTable('media_items')
      .set({ deleted_at: isTrashed ? sql`now()` : null, updated_at: sql`now()` })
      .where(sql<boolean>`id = any(${[...changing.map(({ id }) => id), ...followers]}::uuid[])`)
      .execute();
    await pairLivePhotos(
      trx,
      userId,
      changing.map(({ contentIdentifier }) => contentIdentifier),
    );
  });

/** Returns the video halves to move along with the photos `leaving`: those that no other photo in `all` uses. */
export const listFollowers = (leaving: readonly LockedItem[], all: readonly LockedItem[]): string[] => {
  const staying = all.filter((item) => !leaving.includes(item));
  const needed = new Set(staying.map(({ motionItemId }) => motionItemId));
  return leaving.flatMap(({ motionItemId }) => (motionItemId === null || needed.has(motionItemId) ? [] : motionItemId));
};
