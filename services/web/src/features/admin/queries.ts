import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callPublic } from '../../lib/api/client.ts';
import type { AdminClient } from './adminClient.ts';

/** Prefix of all query keys of the administrator. Signing out removes them. */
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

/** Audit log, newest first. */
export const auditQuery = (client: AdminClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, 'audit'],
    queryFn: ({ pageParam, signal }) =>
      client.callPage('GET /v1/audit', { query: { limit: 25 }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

export const originalsQuery = (client: AdminClient) =>
  queryOptions({
    queryKey: [...adminKey, 'originals'],
    queryFn: ({ signal }) => client.call('GET /v1/originals', { signal }),
  });

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
