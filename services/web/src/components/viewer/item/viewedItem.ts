import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import type { QueryKey } from '@tanstack/react-query';
import { mediaItemQuery } from '../../../lib/items/mediaItemQuery.ts';

/** Item in the viewer. For visitors of a shared album, the owner's fields are undefined. */
export type ViewedItem = SharedMediaItem & Partial<Omit<MediaItemDetails, keyof SharedMediaItem>>;

export type ViewedItemQuery = (id: string) => {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ViewedItem>;
};

export const ownItemQuery: ViewedItemQuery = mediaItemQuery;
