import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../lib/api/client.ts';

/** The user's sessions, latest sign-in first. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam, signal }) =>
    callPage('GET /v1/auth/sessions', { query: { limit: 50 }, next: pageParam, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
});

export const diskQuery = queryOptions({
  queryKey: ['disk'],
  queryFn: ({ signal }) => call('GET /disk', { signal }),
});

export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => call('GET /version', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Polling interval of an active job, in ms. */
const jobProgressIntervalMs = 2000;

/** Latest jobs, polled while one is scheduled or running. */
export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/jobs', { query: { limit: 10 }, signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'SCHEDULED' || status === 'RUNNING') === true
      ? jobProgressIntervalMs
      : false,
});

/** Polling interval of background processing, in ms. Live events do not report every step. */
const backgroundIntervalMs = 10_000;

export const processingQuery = queryOptions({
  queryKey: ['processing'],
  queryFn: ({ signal }) => call('GET /v1/processing', { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => ((state.data?.waiting.length ?? 0) > 0 ? backgroundIntervalMs : false),
});
