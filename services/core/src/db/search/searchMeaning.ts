import type { Database } from '../connection/database.ts';
import type { Span } from './searchDateWords.ts';
import { compareFound } from './searchFusion.ts';
import { anyTime, estimateOf, fieldScores, isOwned, type Field, type Found, type SearchList } from './searchList.ts';
import { matchAmong, matchStep } from './searchMatches.ts';
import { findByDate } from './searchRanked.ts';

/** How well an item fits words, 0 to 1: the same for as long as model, words and item are the same. */
export interface Meant {
  readonly id: string;
  readonly likeness: number;
}

/**
 * Ranks a user's items by how well their pictures fit words: the `limit` best, the best first, of those in `among` where it is given. Leaves out what
 * does not fit at all. Undefined where words cannot be understood now.
 */
export type RankByMeaning = (
  words: string,
  options: { readonly limit: number; readonly among?: readonly string[] },
) => Promise<readonly Meant[] | undefined>;

/** How many items are found by meaning at most. */
export const maxMeant = 200;

/** How many are ranked: of those that fit best, many may lack a name or a filter. */
const maxRankedByMeaning = 1_000;

/** Where so few items have all names and are what filters ask, only they are ranked. */
const maxAmong = 5_000;

/** A whole number from a likeness, by which found items are sorted. */
const scoreOf = (likeness: number): number => Math.max(0, Math.round(likeness * 1e6));

/** Names by which something is called that has no other name. Albums and things are called by common words, such as beach. */
const namingFields: ReadonlySet<Field> = new Set(['i', 'p', 'c']);

/**
 * Whether a word of a query has to be met as it is: it is a name of a person, place or camera, or says what an item is. What the others say may be in the
 * picture.
 */
const isNaming = (lists: readonly SearchList[]): boolean =>
  lists.some(
    (list) =>
      isOwned(list) ||
      (list.field !== null && namingFields.has(list.field) && list.score === 100 * fieldScores[list.field]),
  );

/** What of a query is asked by meaning: which of its words have to be met, which are understood, and when an item must have been taken. */
export interface MeantQuery {
  readonly names: readonly (readonly SearchList[])[];
  readonly words: readonly number[];
  readonly text: string;
  readonly spans: readonly Span[];
}

/** What of a query is asked by meaning; nothing where all of its words are names and dates. */
export const meantOf = (
  query: string,
  words: readonly string[],
  lists: readonly (readonly SearchList[])[],
  isDate: (position: number) => boolean,
  spans: readonly Span[],
): MeantQuery | undefined => {
  const undated = [...words.keys()].filter((position) => !isDate(position));
  // Numbers mean nothing to models.
  const free = undated.filter((position) => !isNaming(lists[position]!) && !/\d/.test(words[position]!));
  if (free.length === 0) return undefined;
  return {
    names: undated.filter((position) => !free.includes(position)).map((position) => lists[position]!),
    words: free,
    // As it was typed where all of it is meant: models have learned from sentences.
    text: free.length === words.length ? query.trim() : free.map((position) => words[position]!).join(' '),
    spans,
  };
};

/**
 * The items that fit what a query means and that have its names, are what filters ask, and were taken when it says, the best first. `until` is the
 * last one as it was when the first page was read, so that the list keeps its end. Undefined where the words cannot be understood.
 */
export const findByMeaning = async (
  db: Database,
  userId: string,
  rank: RankByMeaning,
  { names, text, spans }: MeantQuery,
  filters: readonly (readonly SearchList[])[],
  until: Found | undefined,
): Promise<readonly Found[] | undefined> => {
  const required = [...names, ...filters];
  if (required.some((lists) => lists.length === 0)) return [];
  const among = await listFew(db, userId, required, spans);
  // Without names and filters all that is ranked is found.
  const first = required.length === 0 && spans === anyTime ? maxMeant : maxRankedByMeaning;
  for (let limit = first; ; limit *= 4) {
    const meant = await rank(text, { limit, ...(among !== undefined && { among }) });
    if (meant === undefined) return undefined;
    const likeness = new Map(meant.map((item) => [item.id, item.likeness]));
    const matches = await matchAmong(db, userId, [...likeness.keys()], required, spans);
    const found = matches
      .map(({ id, localTime }): Found => ({ id, localTime, score: scoreOf(likeness.get(id) ?? 0) }))
      .toSorted(compareFound);
    if (until === undefined) return found.slice(0, maxMeant);
    const isRead = meant.length < limit || scoreOf(meant.at(-1)!.likeness) < until.score;
    // Items that have come since may have pushed out others: then more are ranked.
    if (isRead || limit >= 16 * first) return found.filter((item) => compareFound(item, until) <= 0);
  }
};

/** The ids of all items that are required, where they are few. */
const listFew = async (
  db: Database,
  userId: string,
  required: readonly (readonly SearchList[])[],
  spans: readonly Span[],
): Promise<string[] | undefined> => {
  const first = required.toSorted((a, b) => estimateOf(a) - estimateOf(b))[0];
  if (first === undefined) {
    if (spans === anyTime) return undefined;
    const { found } = await findByDate(db, userId, spans, maxAmong + 1);
    return found.length > maxAmong ? undefined : found.map(({ id }) => id);
  }
  const { matches, last } = await matchStep(db, required, first, spans, maxAmong, undefined);
  return last === undefined ? matches.map(({ id }) => id) : undefined;
};
