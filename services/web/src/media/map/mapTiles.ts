import { queryOptions } from '@tanstack/react-query';
import { callPublic } from '../../api/publicClient.ts';

/** Where maps get their tiles, if the operator has named a server; null where the outlines of the app are all there is. */
export const mapTilesQuery = queryOptions({
  queryKey: ['webConfig', 'mapTiles'],
  queryFn: async ({ signal }) => (await callPublic('GET /v1/web/config', { signal })).mapTilesUrl ?? null,
  staleTime: Infinity,
});
