import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The months in which something was taken, the latest first. */
export const timelineMonthsQuery = queryOptions({
  queryKey: ['suggestions', 'months'],
  queryFn: ({ signal }) => call('GET /v1/timeline', { signal }),
  staleTime: 60_000,
});
