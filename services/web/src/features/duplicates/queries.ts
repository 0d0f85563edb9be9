import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { call, callPage } from '../../lib/api/client.ts';
import { ApiError } from '../../lib/api/apiError.ts';

/** Groups per page: a few screens. */
const pageSize = 20;

export const duplicatesQuery = (reviewed: boolean) =>
  infiniteQueryOptions({
    queryKey: ['duplicates', 'list', { reviewed }],
    queryFn: ({ pageParam, signal }) =>
      callPage('GET /v1/duplicates', { query: { limit: pageSize, reviewed }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['duplicates', 'group', id],
    queryFn: ({ signal }) => call('GET /v1/duplicates/{id}', { params: { id }, signal }),
  });

/**
 * Updates a group in the cached lists, and removes it from those it no longer belongs to. If `group` is undefined,
 * removes it from all lists. The lists are not refetched, because hundreds of pages may be loaded. They refetch when
 * shown next.
 */
export const replaceGroup = (client: QueryClient, id: string, group: DuplicateGroup | undefined): void => {
  for (const reviewed of [false, true]) {
    const now = group?.reviewed === reviewed ? [group] : [];
    client.setQueryData(duplicatesQuery(reviewed).queryKey, (data) =>
      data === undefined
        ? undefined
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.flatMap((each) => (each.id === id ? now : [each])),
            })),
          },
    );
  }
};

/** Refetches a group and updates it in the lists. After a failed request, the lists stay unchanged. */
export const refetchGroup = async (client: QueryClient, id: string): Promise<void> => {
  try {
    replaceGroup(client, id, await client.fetchQuery({ ...groupQuery(id), staleTime: 0 }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') replaceGroup(client, id, undefined);
  }
};
