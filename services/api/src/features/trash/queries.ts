import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockLivePhotos, pairLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { listFollowers } from '../../lists/trashed.ts';

/**
 * Marks a trashed item for removal, and the video half of a Live Photo with its photo. Hides it from everyone.
 * `removeItem` deletes its objects and row.
 * @returns false if the item is not in the trash
 * @throws NotFoundError
 */
export const markForRemoval = async (db: Database, userId: string, id: string): Promise<boolean> =>
  transaction(db, async (trx) => {
    const locked = await lockLivePhotos(trx, userId, { ids: [id] });
    const item = locked.find((each) => each.id === id);
    if (item === undefined) throw new NotFoundError('media item');
    if (item.deletedAt === null) return false;
    await trx
      .updateTable('media_items')
      .set({ removing_at: sql`now()` })
      .where(sql<boolean>`id = any(${[id, ...listFollowers([item], locked)]}::uuid[])`)
      .execute();
    await pairLivePhotos(trx, userId, [item.contentIdentifier]);
    return true;
  });
