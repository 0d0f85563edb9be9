import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../lib/api/client.ts';

/** How many groups are asked for at once: a few screens of them. */
const pageSize = 20;

/** Groups of photos that show the same, page by page: those to review, or the reviewed ones. */
export const duplicatesQuery = (reviewed: boolean) =>
  infiniteQueryOptions({
    queryKey: ['duplicates', 'list', { reviewed }],
    queryFn: ({ pageParam, signal }) =>
      callPage('GET /v1/duplicates', { query: { limit: pageSize, reviewed }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/** One group. */
export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['duplicates', 'group', id],
    queryFn: ({ signal }) => call('GET /v1/duplicates/{id}', { params: { id }, signal }),
  });
