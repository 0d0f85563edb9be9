import type { Options } from 'k6/options';
import { settings } from './settings.ts';

/**
 * What a script asks for, by the tag that its requests carry, with the milliseconds in which 95 of 100 answers have to be there, on a machine that is
 * no slower than a small server. They are what a person does not wait for (0.1 s and 1 s: https://www.nngroup.com/articles/response-times-3-important-limits/),
 * with room for several people; what a change costs is told by the ratios of `bench:reads`, not by these.
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

/** The options of every script. */
export const commonOptions: Options = {
  // Whoever comes is somebody new, with connections of their own that end with the visit. Kept, those of 60 VUs were more than the 256 that Hearth takes
  // from one address, and every request after that was answered 503.
  noVUConnectionReuse: true,
  summaryTrendStats: ['med', 'p(95)', 'max'],
};

/**
 * What every script has to keep: no iteration is dropped, every check holds, and each endpoint that it asks for was asked, fails never and
 * answers in time.
 */
export const thresholdsOf = (asked: readonly Endpoint[]): NonNullable<Options['thresholds']> => ({
  dropped_iterations: ['count==0'],
  checks: ['rate==1'],
  ...Object.fromEntries(
    asked.flatMap((endpoint) => [
      [`http_reqs{endpoint:${endpoint}}`, ['count>0']],
      [`http_req_failed{endpoint:${endpoint}}`, ['rate==0']],
      [`http_req_duration{endpoint:${endpoint}}`, [`p(95)<${allowed(endpoints[endpoint])}`]],
    ]),
  ),
});

/** Milliseconds that are allowed to a machine as slow as this one. */
export const allowed = (ms: number): number => Number((ms * settings.slowness).toPrecision(3));
