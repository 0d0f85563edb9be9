import { maxPageSize } from '@hearth/contract/limits.ts';
import type { AlbumRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { findSharedAlbum, listSharedItems, requestSharedVideos } from './queries.ts';
import { findPool } from '@hearth/core/config/pipeline.ts';
import type { Deps } from '../../deps/deps.ts';
import { videoToCopy } from './sharedKeys.ts';

const pool = findPool('TRANSCODE', 'VIDEO')!;

type PrepareDeps = Pick<Deps, 'db' | 'queues' | 'log' | 'config'>;

/**
 * Makes the runs due that create visitor copies of videos, if items of this page lack them. Most pages lack none and
 * cost nothing.
 */
export const prepareVideos = async (
  { db, queues, log }: PrepareDeps,
  rows: readonly MediaItemRow[],
  requestId: string,
): Promise<void> => {
  const missing = rows.map(videoToCopy).filter((id) => id !== undefined);
  const ids = await requestSharedVideos(db, missing);
  if (ids.length === 0) return;
  const jobs = ids.map((mediaItemId) => ({ mediaItemId, requestId }));
  // Not awaited: an unavailable queue must not delay the response, and the sweeper enqueues due runs.
  queues
    .enqueue(pool, jobs, 'library')
    .catch((error: unknown) => log.debug({ err: error }, 'not enqueued; the sweeper will enqueue it'));
};

/**
 * Prepares the first page of a shared album in advance, so that its videos play for the first visitor. Further pages
 * are prepared when first opened.
 */
export const prepareAlbum = async (
  deps: PrepareDeps,
  { id, share_id }: Pick<AlbumRow, 'id' | 'share_id'>,
  requestId: string,
): Promise<void> => {
  try {
    if (share_id === null || (await findSharedAlbum(deps.db, share_id, deps.config)) === undefined) return;
    const { items } = await listSharedItems(deps.db, id, { limit: maxPageSize, start: { number: 1 } });
    await prepareVideos(deps, items, requestId);
  } catch (error) {
    // The change of the album has succeeded, and its visitors will request the copies again.
    deps.log.warn({ err: error, albumId: id }, 'could not prepare the videos of a shared album');
  }
};
