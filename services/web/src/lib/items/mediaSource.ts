import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page } from '../api/client.ts';
import { toGridItem, type GridItem } from './gridItem.ts';

/** A list of media items in its order, as far as it is loaded: what a grid and the viewer walk through. */
export interface MediaSource {
  readonly items: readonly GridItem[];
  /** How many there are in all, where the server counts them. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Loads the next items behind those that are there; harmless while that is under way. */
  readonly loadMore: () => void;
  /** Whether items precede the first of `items`; only a list that can begin in its middle, such as the timeline, says so. */
  readonly hasBefore?: boolean;
  /** Loads the items before those that are there; harmless while that is under way. */
  readonly loadBefore?: () => void;
  /** Of what a search has found: by what it looked, `text` or `meaning`. */
  readonly searchMode?: string | undefined;
  /** Of a group of duplicates: its revision before the first of the items was read, so that none that has come since counts as seen. */
  readonly revision?: string | undefined;
}

/**
 * The list that `listPage` answers page by page, each by the address that the page before named.
 * `queryKey` begins with `mediaItems`, so that whatever changes items can have all lists loaded anew. `present` is the same function in every render, as
 * long as it answers the same.
 */
export const useMediaSource = <Item extends MediaItem>(
  queryKey: readonly ['mediaItems', ...QueryKey],
  listPage: (next: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
  present: (item: Item) => GridItem = presentAlone,
): MediaSource => {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => listPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
  const pages = query.data?.pages;
  const items = useMemo(
    () => (pages ?? []).flatMap((page) => page.items.map((item) => present(item))),
    [pages, present],
  );
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

const presentAlone = (item: MediaItem): GridItem => toGridItem(item);
