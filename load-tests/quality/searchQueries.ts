import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '@hearth/contract/people.ts';
import type { LibraryClient } from './libraryClient.ts';

/** A held-out search query over the test media, with its expected results. */
export interface SearchQuery {
  readonly query: string;
  /** Names of photos and videos in the manifest. At least one must be among the first ten results. */
  readonly expected: readonly string[];
  /** Date of the search, if it matters. */
  readonly today?: string;
  /** Set if only an image embedding model can answer the query. */
  readonly needs?: 'CLIP';
}

interface SearchQueryList {
  /** Identities of the manifest by the names that the user gives them. */
  readonly people: Readonly<Record<string, string>>;
  readonly queries: readonly SearchQuery[];
}

/** The held-out list, written from the pictures and their manifest before any search was run. */
export const searchQueryList = JSON.parse(
  readFileSync(join(import.meta.dirname, 'heldQueries.json'), 'utf8'),
) as SearchQueryList;

/** Number of results that count. */
const maxRank = 10;

/** Required share of answered queries. */
export const minShare = 0.9;

/** Result of a query. */
export interface QueryResult extends SearchQuery {
  /** Rank of the first expected result, from 1. Undefined if it is not among the first ten. */
  readonly rank: number | undefined;
  /** Name of the top result. */
  readonly first: string | undefined;
  readonly mode: string | null;
}

/** Manifest names by media item id. Two files with the same bytes are one item. */
export type NamesById = ReadonlyMap<string, readonly string[]>;

/** Returns the people of a library with the files that show each. */
export const readPeople = async (library: LibraryClient, names: NamesById) => {
  const people = await library.list<Person>('/v1/explore/people?limit=100');
  return Promise.all(
    people.map(async ({ id }) => {
      const items = await library.list<{ readonly id: string }>(`/v1/explore/people/${id}/mediaItems?limit=100`);
      return { id, files: items.flatMap((item) => names.get(item.id) ?? []) };
    }),
  );
};

/** Names people as the user would: each name goes to the group with the most photos of that identity. */
export const nameTestPeople = async (
  library: LibraryClient,
  names: NamesById,
  getIdentity: (file: string) => string | undefined,
): Promise<void> => {
  const groups = await readPeople(library, names);
  for (const [name, identity] of Object.entries(searchQueryList.people)) {
    const countPhotos = ({ files }: (typeof groups)[number]) =>
      files.filter((file) => getIdentity(file) === identity).length;
    const [most] = groups.toSorted((a, b) => countPhotos(b) - countPhotos(a));
    if (most !== undefined && countPhotos(most) > 0) await library.put(`/v1/explore/people/${most.id}`, { name });
  }
};

/** Runs queries one after another. */
export const runQueries = async (
  library: LibraryClient,
  names: NamesById,
  queries: readonly SearchQuery[],
): Promise<QueryResult[]> => {
  const results: QueryResult[] = [];
  for (const each of queries) {
    const parameters = new URLSearchParams({ q: each.query, limit: String(maxRank) });
    if (each.today !== undefined) parameters.set('today', each.today);
    const { entries, mode } = await library.search(parameters);
    const files = entries.map(({ id }) => names.get(id) ?? []);
    const at = files.findIndex((found) => found.some((file) => each.expected.includes(file)));
    results.push({ ...each, rank: at < 0 ? undefined : at + 1, first: files[0]?.[0], mode });
  }
  return results;
};

/** Returns the share of answered queries, 0 to 1. */
export const getFoundShare = (results: readonly QueryResult[]): number =>
  results.filter(({ rank }) => rank !== undefined).length / results.length;

/** Lists the unanswered queries with their top result. */
export const describeMisses = (results: readonly QueryResult[]): string =>
  results
    .filter(({ rank }) => rank === undefined)
    .map(({ query, first }) => `"${query}" found ${first ?? 'no item'}`)
    .join('; ');
