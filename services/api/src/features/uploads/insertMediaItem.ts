import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { NewMediaItem } from '@hearth/core/db/schema.ts';
import { refuseOverQuota } from '../../accounts/quotas.ts';
import { getUser } from '../../accounts/users.ts';
import { lockLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { setTrashed } from '../trash/queries.ts';
import { firstRuns, type PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { refuseAbandoned } from './abandonedItems.ts';

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
  { uploadId }: { readonly uploadId?: string } = {},
): Promise<Inserted> =>
  transaction(db, async (trx) => {
    const { features, quota_bytes: quotaBytes } = await getUser(trx, item.user_id);
    // The item with the same bytes may be removed between the two statements: then the new one can be inserted after all.
    for (;;) {
      const inserted = await prepared(trx, 'insert_item')
        .insertInto('media_items')
        .values(item)
        .onConflict((on) => on.columns(['user_id', 'checksum']).where('removing_at', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) {
        await refuseOverQuota(trx, item.user_id, quotaBytes, { uploadId });
        await refuseAbandoned(trx, inserted.id);
        await prepared(trx, 'insert_runs')
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
