import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from '../../lib/api/client.ts';

/** One's own sessions, the latest sign-in first. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam, signal }) =>
    callPage('GET /v1/auth/sessions', { query: { limit: 50 }, next: pageParam, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
});

/** How full the store behind the library is. */
export const diskQuery = queryOptions({
  queryKey: ['disk'],
  queryFn: ({ signal }) => call('GET /disk', { signal }),
});

/** Which server answers. */
export const versionQuery = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => call('GET /version', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** How often a job that is at work is asked for its progress, in milliseconds. */
const jobProgressIntervalMs = 2000;

/** The latest jobs, asked again and again while one of them is not finished. */
export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: async ({ signal }) => (await callPage('GET /v1/jobs', { query: { limit: 10 }, signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'SCHEDULED' || status === 'RUNNING') === true
      ? jobProgressIntervalMs
      : false,
});

/** How often what is at work in the background is asked for, in milliseconds: not every step of it is told by a live event. */
const backgroundIntervalMs = 10_000;

/** What is being made of one’s photos, and what failed. */
export const processingQuery = queryOptions({
  queryKey: ['processing'],
  queryFn: ({ signal }) => call('GET /v1/processing', { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => ((state.data?.waiting.length ?? 0) > 0 ? backgroundIntervalMs : false),
});
