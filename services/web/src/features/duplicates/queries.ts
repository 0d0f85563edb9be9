import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { call, callPage } from '../../lib/api/client.ts';
import { ApiError } from '../../lib/api/apiError.ts';

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

/**
 * Puts a group as it is now into the lists that are in memory; it leaves those that it is not in any more, and all of them where there is none. The lists are
 * read again when they are shown next: whoever reviews the hundredth page has a hundred of them loaded.
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

/** Asks for a group anew, and puts it where it was. Without an answer all stays as it is until the lists are read again. */
export const readGroupAnew = async (client: QueryClient, id: string): Promise<void> => {
  try {
    replaceGroup(client, id, await client.fetchQuery({ ...groupQuery(id), staleTime: 0 }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') replaceGroup(client, id, undefined);
  }
};
