import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page } from '../api/client.ts';
import { toGridItem, type GridItem } from './gridItem.ts';

/** Loaded part of an ordered list of media items, for grids and the viewer. */
export interface MediaSource {
  readonly items: readonly GridItem[];
  /** Total number of items, if the server counts them. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Loads the next items. Does nothing while they are loading. */
  readonly loadMore: () => void;
  /**
   * True if items precede the first of `items`. Only set for lists that can start in the middle, such as the timeline.
   */
  readonly hasBefore?: boolean;
  /** Loads the preceding items. Does nothing while they are loading. */
  readonly loadBefore?: () => void;
  /** Search mode, of search results only: `text` or `meaning`. */
  readonly searchMode?: string | undefined;
  /** Revision of a duplicate group from before its first item was read. Items added since do not count as reviewed. */
  readonly revision?: string | undefined;
}

/**
 * Loads a paginated list. `queryKey` begins with `mediaItems`, so that changes of items can refetch all lists.
 * `toItem` must be the same function in every render, unless its results change.
 */
export const useMediaSource = <Item extends MediaItem>(
  queryKey: readonly ['mediaItems', ...QueryKey],
  listPage: (next: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  toItem: (item: Item) => GridItem = toItemWithoutNote,
): MediaSource => {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => listPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
  const pages = query.data?.pages;
  const items = useMemo(() => (pages ?? []).flatMap((page) => page.items.map((item) => toItem(item))), [pages, toItem]);
  return {
    items,
    total: pages?.[0]?.total,
    searchMode: pages?.[0]?.searchMode,
    revision: pages?.[0]?.revision,
    hasMore: query.hasNextPage,
    isLoading: query.isPending,
    error: query.error,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
};

const toItemWithoutNote = (item: MediaItem): GridItem => toGridItem(item);
