import type { Database } from '@hearth/core/db/database.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';
import type { MediaItemChanges, MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { buildMediaItem } from './factories.ts';
import { beginRun } from './libraryJobs.ts';

/** Records what METADATA has read of an item, as a worker does that has just begun. */
export const recordMetadata = async (db: Database, id: string, changes: MediaItemChanges): Promise<void> => {
  await db
    .updateTable('component_runs')
    .set({ state: 'PENDING', attempts: 0, next_attempt_at: new Date(0) })
    .where('media_item_id', '=', id)
    .where('component', '=', 'METADATA')
    .execute();
  const claim = await beginRun(db, id);
  // A test that calls this twice at once may get the claim of another component, and no other one ever writes what METADATA writes.
  if (claim?.component !== 'METADATA') throw new Error(`METADATA run of ${id} not found`);
  await recordOutcome(db, claim, { state: 'DONE', changes, warnings: [] });
};

/** Makes an item with a content identifier, as it is when its METADATA is done. */
export const buildHalf = async (
  db: Database,
  userId: string,
  content_identifier: string | null,
  values: Partial<NewMediaItem> = {},
): Promise<MediaItemRow> => {
  const item = await buildMediaItem(db, userId, values);
  await recordMetadata(db, item.id, { content_identifier });
  return item;
};

/** What makes an item a video. */
export const asVideo = { type: 'VIDEO', mime_type: 'video/quicktime', filename: 'IMG_0001.MOV' } as const;
