import { requestOnce, type TimedResponse } from './requestOnce.ts';

export interface Reader {
  readonly url: string;
  readonly token: string;
}

/** A kind of read. `bound` limits its median, as a multiple of the median of `GET /version`. */
export interface ReadCase {
  readonly name: string;
  readonly bound: number;
  /**
   * Limits the growth from the smallest library to a larger one: the median divided by that of `GET /version` may grow
   * by this factor. The default is 2.
   */
  readonly growth?: number;
  /**
   * Returns different paths of this kind, so that no single row stays in the CPU cache. Empty if the library has no
   * such rows.
   */
  readonly paths: (reader: Reader) => Promise<readonly string[]>;
  /** Also measures paths with an empty response. */
  readonly mayBeEmpty?: boolean;
  /** Measures the first request of each path. */
  readonly isCold?: boolean;
}

/** Maximum number of different paths per kind of read. */
export const maxPathsPerCase = 20;
/** Position of deep pages, as a share of the list. */
export const deepPageShare = 0.9;

export const request = (reader: Reader, path: string): Promise<TimedResponse> =>
  requestOnce(new URL(path, reader.url), reader.token);

export const listIds = async (reader: Reader, path: string): Promise<string[]> =>
  (JSON.parse((await request(reader, path)).text) as { id: string }[]).map(({ id }) => id);

/** Adds a query parameter to a path that may already have some. */
export const addQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Returns pages of a list around 90 % of its depth, by page number. */
export const deepPages = async (reader: Reader, list: string, limit = 15): Promise<string[]> => {
  const total = Number((await request(reader, list)).headers['x-total-count']);
  const last = Math.floor((deepPageShare * total) / limit);
  return Array.from({ length: Math.min(maxPathsPerCase, last) }, (_, back) => addQuery(list, `page=${last - back}`));
};
