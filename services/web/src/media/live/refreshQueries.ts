import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Sends the queries of the page again at once, and the others when they are shown next. A query whose first answer is still under way is sent
 * again after that answer: the server may have read it before the change, and TanStack would neither cancel the query nor send it twice.
 */
export const refreshQueries = async (client: QueryClient, filters: QueryFilters): Promise<void> => {
  const queries = client.getQueryCache().findAll(filters);
  const answered = new Set(queries.filter(({ state }) => state.data !== undefined));
  await Promise.all([
    // All in one pass: each `invalidateQueries` looks at every query that is kept.
    client.invalidateQueries({ predicate: (query) => answered.has(query) }),
    ...queries.filter((query) => !answered.has(query)).map((query) => refreshOnceAnswered(client, query)),
  ]);
};

const refreshOnceAnswered = async (client: QueryClient, query: Query): Promise<void> => {
  await query.promise?.catch(() => undefined);
  await client.invalidateQueries({ predicate: (other) => other === query });
};
