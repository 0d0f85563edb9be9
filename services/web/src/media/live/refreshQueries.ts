import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Sends the queries of the page again at once, and the others when they are shown next. A query whose first answer is still under way is sent
 * again after that answer: the server may have read it before the change, and TanStack would neither cancel the query nor send it twice.
 */
export const refreshQueries = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
  await Promise.all(
    client
      .getQueryCache()
      .findAll(filters)
      .map(async (query) => {
        if (query.state.data === undefined) await query.promise?.catch(() => undefined);
        await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      }),
  );
};
