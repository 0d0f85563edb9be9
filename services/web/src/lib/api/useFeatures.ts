import type { Features } from '@hearth/contract/features.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** What is switched on for the user; undefined until it is known, and where `isSignedIn` says that nobody is. */
export const useFeatures = (isSignedIn = true): Features | undefined =>
  useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => call('GET /v1/features', { signal }),
    enabled: isSignedIn,
    staleTime: 5 * 60_000,
  }).data;
