import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** What is switched on for the user. */
export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: ({ signal }) => call('GET /v1/features', { signal }),
});
