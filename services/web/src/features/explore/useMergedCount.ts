import { useQueries } from '@tanstack/react-query';
import { callPage } from '../../api/client.ts';

/** So many photos of each person are read; where one has more, the count is a lower bound. */
const readItems = 200;

/** On how many photos any of these people is seen, one with several of them counted once; undefined until it is known. `isAll` is false where there may be more. */
export const useMergedCount = (
  ids: readonly string[],
): { readonly count: number; readonly isAll: boolean } | undefined => {
  const pages = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['people', id, 'counted'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        callPage('GET /v1/explore/people/{id}/mediaItems', { params: { id }, query: { limit: readItems }, signal }),
    })),
  }).map(({ data }) => data);
  if (!pages.every((page) => page !== undefined)) return undefined;
  return {
    count: new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size,
    isAll: pages.every(({ next }) => next === undefined),
  };
};
