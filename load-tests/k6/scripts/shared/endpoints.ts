import type { Options } from 'k6/options';
import { settings } from './settings.ts';

/**
 * Endpoints by request tag, with the limit of the 95th percentile in ms on a small server. The limits are response
 * times that do not feel slow (0.1 s and 1 s: https://www.nngroup.com/articles/response-times-3-important-limits/),
 * with a margin for several users. They do not detect regressions; the ratios of `bench:reads` do.
 */
export const endpoints = {
  version: 100,
  login: 1_000,
  timeline: 300,
  grid: 500,
  page: 300,
  item: 300,
  search: 1_000,
  albums: 300,
  thumbnail: 300,
  preview: 500,
  upload: 3_000,
  sharedAlbum: 300,
  sharedItems: 300,
  sharedThumbnail: 300,
  sharedPreview: 500,
} as const satisfies Record<string, number>;

export type Endpoint = keyof typeof endpoints;

export const commonOptions: Options = {
  // Each visit opens new connections and closes them at its end. Kept connections of 60 VUs exceeded the 256 that
  // Hearth accepts per client address, and further requests got 503.
  noVUConnectionReuse: true,
  summaryTrendStats: ['med', 'p(95)', 'max'],
};

/**
 * Thresholds of every script: no dropped iterations, all checks pass, and each endpoint is requested, never fails and
 * meets its limit.
 */
export const makeThresholds = (requested: readonly Endpoint[]): NonNullable<Options['thresholds']> => ({
  dropped_iterations: ['count==0'],
  checks: ['rate==1'],
  ...Object.fromEntries(
    requested.flatMap((endpoint) => [
      [`http_reqs{endpoint:${endpoint}}`, ['count>0']],
      [`http_req_failed{endpoint:${endpoint}}`, ['rate==0']],
      [`http_req_duration{endpoint:${endpoint}}`, [`p(95)<${toThreshold(endpoints[endpoint])}`]],
    ]),
  ),
});

/** Applies the slowness factor of this machine to a limit in ms. */
export const toThreshold = (ms: number): number => Number((ms * settings.slowness).toPrecision(3));
