import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MediaSource } from '../../media/mediaSource.ts';
import { sharedItems, toSharedGridItem } from './sharedItems.ts';

/** The media items of a shared album in their order, as far as they are loaded. */
export const useSharedSource = (shareId: string): MediaSource => {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    sharedItems(shareId),
  );
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.items.map(toSharedGridItem)), [data]);
  return {
    items,
    total: data?.pages[0]?.total,
    hasMore: hasNextPage,
    isLoading: isPending,
    error,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
};
