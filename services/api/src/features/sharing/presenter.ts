import type { SharedAlbum, SharedMediaItem } from '@hearth/contract/sharing.ts';
import type { AlbumRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { getSharedKeys } from './sharedKeys.ts';
import type { SharedLinks } from '../../links/sharedLinks.ts';

/**
 * Converts an item for visitors of an album. Omits place, camera, description and filename, which may reveal people and
 * places. Includes only the local time, because UTC next to it would reveal the time zone.
 */
export const presentSharedItem = (links: SharedLinks, shareId: string, row: MediaItemRow): SharedMediaItem => {
  const keys = getSharedKeys(row);
  const urls = Object.fromEntries(
    (['preview', 'thumbnail', 'poster', 'motion'] as const)
      .filter((rendition) => keys[rendition] !== undefined)
      .map((rendition) => [`${rendition}Url`, links.sign({ shareId, mediaItemId: row.id, rendition })]),
  );
  const durationSeconds = row.duration_s ?? row.probed_duration_s;
  return {
    id: row.id,
    mediaItemType: row.type,
    mediaItemCategory: row.category,
    ...(row.placeholder !== null && { placeholder: row.placeholder }),
    ...(urls['previewUrl'] !== undefined && { sourceUrl: urls['previewUrl'] }),
    ...urls,
    ...(row.width_px !== null && { width: row.width_px }),
    ...(row.height_px !== null && { height: row.height_px }),
    ...(durationSeconds !== null && { durationSeconds }),
    localTime: row.local_time,
  };
};

/** Converts an album for visitors, without its owner and its own id. */
export const presentSharedAlbum = (
  links: SharedLinks,
  shareId: string,
  album: AlbumRow,
  { itemCount, cover }: { readonly itemCount: number; readonly cover: MediaItemRow | undefined },
): SharedAlbum => ({
  id: shareId,
  name: album.name,
  ...(album.description !== null && { description: album.description }),
  ...(cover !== undefined && {
    coverMediaItemId: cover.id,
    coverMediaItem: presentSharedItem(links, shareId, cover),
  }),
  shared: true,
  mediaItemsCount: itemCount,
  createdAt: album.created_at.toISOString(),
  updatedAt: album.updated_at.toISOString(),
});
