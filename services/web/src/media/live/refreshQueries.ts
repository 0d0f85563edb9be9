import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Has what is on the page asked for again, and the rest when it is shown next. A query whose first answer is still under way is asked
 * again behind that: the server may have read it before the change, and TanStack would neither cancel it nor ask twice.
 */
export const askAnew = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
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
