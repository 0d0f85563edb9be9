import type { Place, Thing } from '@hearth/contract/explore.ts';
import type { MediaItemRow, PlaceRow, ThingRow } from '@hearth/core/db/schema.ts';
import type { ItemView } from '../../lists/itemView.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';

/** Converts a place to its API form. Pass `postcode` only for the place of an item: it is the item's. */
export const presentPlace = (
  view: ItemView,
  {
    id,
    name,
    town,
    city,
    state,
    country,
    created_at,
    updated_at,
    postcode = null,
  }: PlaceRow & {
    readonly postcode?: string | null;
  },
  cover: MediaItemRow | undefined,
): Place => ({
  id,
  name,
  ...(postcode !== null && { postcode }),
  ...(town !== null && { town }),
  ...(city !== null && { city }),
  ...(state !== null && { state }),
  country,
  ...(cover !== undefined && { coverMediaItemId: cover.id, coverMediaItem: presentMediaItem(view, cover) }),
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});

/** Converts a thing to its API form. */
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
