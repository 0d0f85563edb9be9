import type { SharedRendition } from '@hearth/contract/vocabulary.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import { isOriginalKey, isTranscodedKey } from '@hearth/core/objects/keys.ts';

/** What of an item's row decides what visitors may get. */
export type SharedRow = Pick<
  MediaItemRow,
  'type' | 'preview_key' | 'thumbnail_key' | 'poster_key' | 'motion_key' | 'shared_video_key'
>;

/**
 * The objects that visitors may get of an item: the only place that says so. Pictures are drawn anew by us, without a word of the original's.
 * Of videos, and of clips in photos, that holds for what we have transcoded; of all others there is a copy without metadata, or
 * nothing until there is one.
 */
export const sharedKeysOf = (row: SharedRow): Partial<Record<SharedRendition, string>> => {
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
 * The item of which a copy without metadata is lacking before visitors can play what this one plays: of a Live Photo its other half; undefined
 * where none is.
 */
export const videoToCopy = (row: SharedRow & Pick<MediaItemRow, 'id' | 'motion_item_id'>): string | undefined => {
  if (row.shared_video_key !== null) return undefined;
  if (row.type === 'VIDEO') return row.preview_key !== null && isOriginalKey(row.preview_key) ? row.id : undefined;
  return row.motion_key === null || isTranscodedKey(row.motion_key) ? undefined : (row.motion_item_id ?? row.id);
};
