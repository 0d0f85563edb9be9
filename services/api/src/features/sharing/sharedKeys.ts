import type { SharedRendition } from '@hearth/contract/vocabulary.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isOriginalKey, isTranscodedKey } from '@hearth/core/objects/keys.ts';

/** Columns that decide which objects visitors may get. */
export type SharedRow = Pick<
  MediaItemRow,
  'type' | 'preview_key' | 'thumbnail_key' | 'poster_key' | 'motion_key' | 'shared_video_key'
>;

/**
 * Returns the objects of an item that visitors may get, as the only place that decides this. Rendered pictures and
 * transcoded videos contain no metadata of the original. For a video or clip that was not transcoded, visitors get a
 * copy without metadata, or nothing until it exists.
 */
export const getSharedKeys = (row: SharedRow): Partial<Record<SharedRendition, string>> => {
  const [preview, motion] = [row.preview_key, row.motion_key];
  const keys = {
    preview: row.type === 'PHOTO' ? preview : withoutMetadata(preview, row),
    thumbnail: row.thumbnail_key,
    poster: row.poster_key,
    motion: withoutMetadata(motion, row),
  };
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== null));
};

const withoutMetadata = (key: string | null, { shared_video_key }: SharedRow): string | null =>
  key === null || isTranscodedKey(key) ? key : shared_video_key;

/**
 * Returns the id of the item whose video must be copied without metadata before visitors can play it (for a Live Photo,
 * its video half). Undefined if no copy is missing.
 */
export const videoToCopy = (row: SharedRow & Pick<MediaItemRow, 'id' | 'motion_item_id'>): string | undefined => {
  if (row.shared_video_key !== null) return undefined;
  if (row.type === 'VIDEO') return row.preview_key !== null && isOriginalKey(row.preview_key) ? row.id : undefined;
  return row.motion_key === null || isTranscodedKey(row.motion_key) ? undefined : (row.motion_item_id ?? row.id);
};
