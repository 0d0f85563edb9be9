import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import type { QueryKey } from '@tanstack/react-query';
import { mediaItemQuery } from '../../../lib/items/mediaItemQuery.ts';

/** An item as the viewer shows it: all its owner is answered, or what a visitor of a shared album is; the rest is undefined. */
export type ViewedItem = SharedMediaItem & Partial<Omit<MediaItemDetails, keyof SharedMediaItem>>;

/** How one item is asked for, as options of a query. */
export type ViewedItemQuery = (id: string) => {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ViewedItem>;
};

/** An item of the user who is signed in. */
export const ownItemQuery: ViewedItemQuery = mediaItemQuery;
