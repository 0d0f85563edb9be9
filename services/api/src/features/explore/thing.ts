import type { Thing } from '@hearth/contract/explore.ts';
import type { MediaItemRow, ThingRow } from '@hearth/core/db/schema.ts';
import type { ItemView } from '../../lists/itemView.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

/** A thing as the owner of the library sees it. */
export const presentThing = (
  view: ItemView,
  { id, name, created_at, updated_at }: ThingRow,
  cover: MediaItemRow | undefined,
): Thing => ({
  id,
  name,
  ...(cover !== undefined && { coverMediaItemId: cover.id, coverMediaItem: presentMediaItem(view, cover) }),
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});
