import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callPublic } from '../../lib/api/client.ts';
import type { AdminClient } from './adminClient.ts';

/** What all queries of the administrator begin with: signing out forgets them. */
export const adminKey = ['admin'] as const;

/** All accounts, by name. */
export const usersQuery = (client: AdminClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, 'users'],
    queryFn: ({ pageParam, signal }) =>
      client.callPage('GET /v1/users', { query: { limit: 50 }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/** What has happened, the latest first. */
export const auditQuery = (client: AdminClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, 'audit'],
    queryFn: ({ pageParam, signal }) =>
      client.callPage('GET /v1/audit', { query: { limit: 25 }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

/** The sums of intact, damaged and missing originals. */
export const originalsQuery = (client: AdminClient) =>
  queryOptions({
    queryKey: [...adminKey, 'originals'],
    queryFn: ({ signal }) => client.call('GET /v1/originals', { signal }),
  });

/** How full the store is, and which server this is. */
export const serverQuery = queryOptions({
  queryKey: [...adminKey, 'server'],
  queryFn: async ({ signal }) => {
    const [disk, version] = await Promise.all([
      callPublic('GET /disk', { signal }),
      callPublic('GET /version', { signal }),
    ]);
    return { disk, version };
  },
});
