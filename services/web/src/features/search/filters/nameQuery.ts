import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/client.ts';
import type { SearchIdFilter } from '@hearth/contract/searchFilters.ts';

/** How what a filter names is called; null for a person whom nobody has named. */
export const nameQuery = (filter: SearchIdFilter, id: string) =>
  queryOptions({
    queryKey: [filter, id, 'name'],
    queryFn: async ({ signal }) => (await readNamed(filter, id, signal)).name ?? null,
  });

const readNamed = (
  filter: SearchIdFilter,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly name?: string | undefined }> => {
  const options = { params: { id }, signal };
  switch (filter) {
    case 'people':
      return call('GET /v1/explore/people/{id}', options);
    case 'places':
      return call('GET /v1/explore/places/{id}', options);
    case 'things':
      return call('GET /v1/explore/things/{id}', options);
    case 'albums':
      return call('GET /v1/albums/{id}', options);
  }
};
