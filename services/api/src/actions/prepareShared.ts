import { maxPageSize } from '@hearth/contract/limits.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import { askForSharedVideos } from '@hearth/core/db/collections/sharedItems.ts';
import { findSharedAlbum, listSharedItems } from '@hearth/core/db/collections/sharing.ts';
import { findPool } from '@hearth/core/pipeline.ts';
import type { Deps } from '../deps.ts';
import { videoToCopy } from '../sharedKeys.ts';

const pool = findPool('TRANSCODE', 'VIDEO')!;

type Preparing = Pick<Deps, 'db' | 'queues' | 'log' | 'config'>;

/** Has the copies of videos made that visitors lack of what they are shown. Most pages lack none, and cost nothing. */
export const prepareVideos = async (
  { db, queues, log }: Preparing,
  rows: readonly MediaItemRow[],
  requestId: string,
): Promise<void> => {
  const lacking = rows.map(videoToCopy).filter((id) => id !== undefined);
  const ids = await askForSharedVideos(db, lacking);
  if (ids.length === 0) return;
  const jobs = ids.map((mediaItemId) => ({ mediaItemId, requestId }));
  // Not waited for: nobody shall wait for a queue that is away, and the sweeper enqueues what is due.
  queues
    .enqueue(pool, jobs, 'library')
    .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will do it'));
};

/**
 * Begins with what visitors will see first of an album, if it is shared, so that its videos play when they come. What lies further back is
 * begun with when it is first shown.
 */
export const prepareAlbum = async (deps: Preparing, id: string, requestId: string): Promise<void> => {
  try {
    if ((await findSharedAlbum(deps.db, id, deps.config)) === undefined) return;
    const { items } = await listSharedItems(deps.db, id, { limit: maxPageSize, start: { number: 1 } });
    await prepareVideos(deps, items, requestId);
  } catch (error) {
    // The album is as it was asked to be; its visitors ask again.
    deps.log.warn({ err: error, albumId: id }, 'the videos of a shared album were not prepared');
  }
};
