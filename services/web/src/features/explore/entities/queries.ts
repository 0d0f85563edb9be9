import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage, type Page } from '../../../lib/api/client.ts';

const pageSize = 60;

const pagedQuery = <Item>(
  queryKey: readonly unknown[],
  listPage: (next: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => listPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

export const peopleQuery = (hidden: boolean) =>
  pagedQuery(['people', { hidden }], (next, signal) =>
    callPage('GET /v1/explore/people', { query: { limit: pageSize, hidden: String(hidden) }, next, signal }),
  );

export const placesQuery = pagedQuery(['places'], (next, signal) =>
  callPage('GET /v1/explore/places', { query: { limit: pageSize }, next, signal }),
);

export const thingsQuery = pagedQuery(['things'], (next, signal) =>
  callPage('GET /v1/explore/things', { query: { limit: pageSize }, next, signal }),
);

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id],
    queryFn: ({ signal }) => call('GET /v1/explore/people/{id}', { params: { id }, signal }),
  });

export const placeQuery = (id: string) =>
  queryOptions({
    queryKey: ['places', id],
    queryFn: ({ signal }) => call('GET /v1/explore/places/{id}', { params: { id }, signal }),
  });

export const thingQuery = (id: string) =>
  queryOptions({
    queryKey: ['things', id],
    queryFn: ({ signal }) => call('GET /v1/explore/things/{id}', { params: { id }, signal }),
  });
