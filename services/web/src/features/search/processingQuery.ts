import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/client.ts';

/** What is still being found out of pictures, and what cannot be. */
export const processingQuery = queryOptions({
  queryKey: ['processing'],
  queryFn: ({ signal }) => call('GET /v1/processing', { signal }),
  staleTime: 0,
});

/** Whether something that is processed is what pictures show. */
export const isOfSearch = ({ component }: { readonly component: string }): boolean => component === 'SEARCH';
