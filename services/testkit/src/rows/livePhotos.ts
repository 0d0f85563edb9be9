import type { Database } from '@hearth/core/db/database.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';
import type { MediaItemChanges, MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { buildMediaItem } from './factories.ts';
import { startRun } from './libraryJobs.ts';

/** Records the outcome of an item's METADATA, like a worker. */
export const recordMetadata = async (db: Database, id: string, changes: MediaItemChanges): Promise<void> => {
  await db
    .updateTable('component_runs')
    .set({ state: 'PENDING', attempts: 0, next_attempt_at: new Date(0) })
    .where('media_item_id', '=', id)
    .where('component', '=', 'METADATA')
    .execute();
  const claim = await startRun(db, id);
  // Parallel calls in a test may claim another component, which must not write METADATA's changes.
  if (claim?.component !== 'METADATA') throw new Error(`METADATA run of ${id} not found`);
  await recordOutcome(db, claim, { state: 'DONE', changes, warnings: [] });
};

/** Creates an item in the state after METADATA, with a content identifier. */
export const buildLivePhotoHalf = async (
  db: Database,
  userId: string,
  content_identifier: string | null,
  values: Partial<NewMediaItem> = {},
): Promise<MediaItemRow> => {
  const item = await buildMediaItem(db, userId, values);
  await recordMetadata(db, item.id, { content_identifier });
  return item;
};

/** Values of a video. */
export const videoFields = { type: 'VIDEO', mime_type: 'video/quicktime', filename: 'IMG_0001.MOV' } as const;
