import { askOnce, type Answer } from './askOnce.ts';

/** A user's library behind an API. */
export interface Reader {
  readonly url: string;
  readonly token: string;
}

/** A kind of read. `bound`: the limit of its median, as a multiple of the median of `GET /version`. */
export interface Question {
  readonly name: string;
  readonly bound: number;
  /** The limit of its median in a larger library, as a multiple of that in the smallest one; 2 by default. */
  readonly growth?: number;
  /** Different addresses of the kind, so that no single row stays in the processor's cache; none if the library has no such rows. */
  readonly paths: (reader: Reader) => Promise<readonly string[]>;
  /** Measures addresses with an empty response too. */
  readonly mayBeEmpty?: boolean;
  /** Measures the first request of each address. */
  readonly isFresh?: boolean;
}

export const variants = 20;
export const depth = 0.9;

export const ask = (reader: Reader, path: string): Promise<Answer> => askOnce(new URL(path, reader.url), reader.token);

export const idsOf = async (reader: Reader, path: string): Promise<string[]> =>
  (JSON.parse((await ask(reader, path)).text) as { id: string }[]).map(({ id }) => id);

/** Adds a query to an address, which may have one. */
export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The pages of a list around 90 % of its depth, by their numbers. */
export const deepPages = async (reader: Reader, list: string, limit = 15): Promise<string[]> => {
  const total = Number((await ask(reader, list)).headers['x-total-count']);
  const last = Math.floor((depth * total) / limit);
  return Array.from({ length: Math.min(variants, last) }, (_, back) => withQuery(list, `page=${last - back}`));
};
