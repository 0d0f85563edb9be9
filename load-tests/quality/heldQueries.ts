import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '@hearth/contract/people.ts';
import type { OpenLibrary } from './openLibrary.ts';

/** A query that somebody asks over the test media, and what that person has in mind. */
export interface HeldQuery {
  readonly query: string;
  /** Photos and videos, by their names in the manifest: one of them has to be among the first ten. */
  readonly expected: readonly string[];
  /** The day on which it is asked, where that matters. */
  readonly today?: string;
  /** Only a model that knows what pictures mean can know it. */
  readonly needs?: 'CLIP';
}

interface HeldList {
  /** Identities of the manifest by the names that the user gives them. */
  readonly people: Readonly<Record<string, string>>;
  readonly queries: readonly HeldQuery[];
}

/** The list, which was written by looking at the pictures and their manifest, before any of it was asked. */
export const heldList = JSON.parse(readFileSync(join(import.meta.dirname, 'heldQueries.json'), 'utf8')) as HeldList;

/** How many results somebody looks at. */
const lookedAt = 10;

/** The part of the queries that has to be answered. */
export const wantedShare = 0.9;

/** What became of a query. */
export interface AskedQuery extends HeldQuery {
  /** Where the first expected result stands, from 1; undefined where it is not among the first ten. */
  readonly place: number | undefined;
  /** What came first instead. */
  readonly first: string | undefined;
  readonly mode: string | null;
}

/** The names in the manifest of each media item, by its id: two files of the same bytes are one item. */
export type NamesById = ReadonlyMap<string, readonly string[]>;

/** The people of a library with the files that each is on. */
export const readPeople = async (library: OpenLibrary, names: NamesById) => {
  const people = await library.list<Person>('/v1/explore/people?limit=100');
  return Promise.all(
    people.map(async ({ id }) => {
      const items = await library.list<{ readonly id: string }>(`/v1/explore/people/${id}/mediaItems?limit=100`);
      return { id, files: items.flatMap((item) => names.get(item.id) ?? []) };
    }),
  );
};

/** Names people as a user does who knows them: each the group that has the most photos of that identity. */
export const namePeople = async (
  library: OpenLibrary,
  names: NamesById,
  identityOf: (file: string) => string | undefined,
): Promise<void> => {
  const groups = await readPeople(library, names);
  for (const [name, identity] of Object.entries(heldList.people)) {
    const photosOf = ({ files }: (typeof groups)[number]) =>
      files.filter((file) => identityOf(file) === identity).length;
    const [most] = groups.toSorted((a, b) => photosOf(b) - photosOf(a));
    if (most !== undefined && photosOf(most) > 0) await library.put(`/v1/explore/people/${most.id}`, { name });
  }
};

/** Asks queries, one after the other. */
export const askQueries = async (
  library: OpenLibrary,
  names: NamesById,
  queries: readonly HeldQuery[],
): Promise<AskedQuery[]> => {
  const asked: AskedQuery[] = [];
  for (const each of queries) {
    const parameters = new URLSearchParams({ q: each.query, limit: String(lookedAt) });
    if (each.today !== undefined) parameters.set('today', each.today);
    const { entries, mode } = await library.search(parameters);
    const files = entries.map(({ id }) => names.get(id) ?? []);
    const at = files.findIndex((found) => found.some((file) => each.expected.includes(file)));
    asked.push({ ...each, place: at < 0 ? undefined : at + 1, first: files[0]?.[0], mode });
  }
  return asked;
};

/** The part of the queries that were answered. */
export const shareOf = (asked: readonly AskedQuery[]): number =>
  asked.filter(({ place }) => place !== undefined).length / asked.length;

/** The queries that were not answered, each with what came first. */
export const describeMisses = (asked: readonly AskedQuery[]): string =>
  asked
    .filter(({ place }) => place === undefined)
    .map(({ query, first }) => `"${query}" found ${first ?? 'nothing'}`)
    .join('; ');
