import type { Album } from '@hearth/contract/albums.ts';
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, callPage } from '../../lib/api/client.ts';
import type { AlbumsSearch } from './albumsSearch.ts';

export const albumList = ({ sort, hidden }: AlbumsSearch) =>
  infiniteQueryOptions({
    queryKey: ['albums', 'list', { sort, hidden }],
    queryFn: ({ pageParam, signal }) =>
      callPage('GET /v1/albums', {
        query: { sort: sort === 'updated' ? '-updatedAt' : 'name', hidden: hidden === true, limit: 100 },
        next: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/** One album. Shows its entry from a list of albums until it is loaded. */
export const albumById = (id: string, client: QueryClient) =>
  queryOptions({
    queryKey: ['albums', id],
    queryFn: ({ signal }) => call('GET /v1/albums/{id}', { params: { id }, signal }),
    placeholderData: () =>
      client
        .getQueriesData<{ readonly pages?: readonly { readonly items: readonly Album[] }[] }>({
          queryKey: ['albums', 'list'],
        })
        .flatMap(([, data]) => data?.pages ?? [])
        .flatMap(({ items }) => items)
        .find((album) => album.id === id),
  });

/** Local capture times of the oldest and newest item; null for an empty album. */
export const albumPeriod = ({ id, mediaItemsCount, updatedAt }: Album) =>
  queryOptions({
    queryKey: ['albums', id, 'period', mediaItemsCount, updatedAt],
    queryFn: async ({ signal }) => {
      const at = async (page: number) =>
        (await callPage('GET /v1/albums/{id}/mediaItems', { params: { id }, query: { limit: 1, page }, signal }))
          .items[0]?.localTime;
      const [last, first] = await Promise.all([at(1), at(Math.max(1, mediaItemsCount))]);
      return last === undefined ? null : { first: first ?? last, last };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const listAlbumItems = (id: string) => (next: string | undefined, signal: AbortSignal) =>
  callPage('GET /v1/albums/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal });

export const listLibrary = (next: string | undefined, signal: AbortSignal) =>
  callPage('GET /v1/mediaItems', { query: { limit: 200 }, next, signal });
