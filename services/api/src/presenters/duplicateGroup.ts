import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import type { DuplicateGroup as Group } from '../features/duplicates/queries.ts';
import type { ItemView } from './itemView.ts';
import { presentMediaItem } from './mediaItem.ts';

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
