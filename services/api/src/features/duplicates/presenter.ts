import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import type { DuplicateGroup as Group } from './queries.ts';
import type { ItemView } from '../../lists/itemView.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

/** A group of photos that show the same, as clients see it. */
export const presentDuplicateGroup = (
  view: ItemView,
  { id, itemCount, trashedCount, isReviewed, revision, best }: Group,
): DuplicateGroup => ({
  id,
  mediaItemsCount: itemCount,
  mediaItems: best.map((row) => presentMediaItem(view, row)),
  reviewed: isReviewed,
  trashedCount,
  revision,
});
