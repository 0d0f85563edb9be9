import type { Features } from '@hearth/contract/features.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** Returns the user's feature switches, or undefined until they are loaded and while signed out. */
export const useFeatures = (isSignedIn = true): Features | undefined =>
  useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => call('GET /v1/features', { signal }),
    enabled: isSignedIn,
    staleTime: 5 * 60_000,
  }).data;
