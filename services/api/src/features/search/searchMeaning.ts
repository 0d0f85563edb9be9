import type { Database } from '@hearth/core/db/database.ts';
import type { Among } from '../../meaning/candidates.ts';
import type { Span } from './dates/searchDateWords.ts';
import { meantAmong } from './meantAmong.ts';
import { compareFound } from './lists/searchFusion.ts';
import type { Found, SearchList } from './lists/searchList.ts';
import { matchIds } from './searchMatches.ts';
import { holdOf, type NameHold } from './lists/searchNames.ts';

/** Similarity of an item to words, 0 to 1. Constant for the same model, words and item. */
export interface Meant {
  readonly id: string;
  readonly likeness: number;
}

/**
 * Ranks a user's items by the similarity of their pictures to words. Returns the `limit` best, optionally among
 * `among`, without dissimilar ones. Undefined if the words cannot be embedded now.
 */
export type RankByMeaning = (
  words: string,
  options: { readonly limit: number; readonly among?: Among },
) => Promise<readonly Meant[] | undefined>;

/** Maximum number of semantic results. */
export const maxMeant = 200;

/** Number of items to rank. Many of the best may lack a name or filter. */
const maxRankedByMeaning = 1_000;

/** Converts a similarity to an integer score for sorting. */
const scoreOf = (likeness: number): number => Math.max(0, Math.round(likeness * 1e6));

/** Added to the score of items with all names, so that they rank before all others. */
const scoreOfNames = 2e6;

/** One way to ask a query semantically. */
interface Meaning {
  readonly text: string;
  /** Positions of the words to embed. */
  readonly words: readonly number[];
  /** Posting lists of each required name. */
  readonly names: readonly (readonly SearchList[])[];
}

/** The semantic part of a query, and its dates. */
export interface MeantQuery {
  /** Requires all names. */
  readonly named: Meaning;
  /** Requires only unambiguous names, if there are others. Its results come after. */
  readonly loose: Meaning | undefined;
  readonly spans: readonly Span[];
}

/** Returns the semantic part of a query, or undefined if all words are names and dates. */
export const meantOf = (
  query: string,
  words: readonly string[],
  lists: readonly (readonly SearchList[])[],
  {
    isDate,
    isIntroduced,
    spans,
  }: {
    readonly isDate: (position: number) => boolean;
    /** True if the word follows one such as `in`. */
    readonly isIntroduced: (position: number) => boolean;
    readonly spans: readonly Span[];
  },
): MeantQuery | undefined => {
  const undated = [...words.keys()].filter((position) => !isDate(position));
  const holds = undated.map((position) => holdOf(words[position]!, lists[position]!, isIntroduced(position)));
  const placesOf = (hold: NameHold | undefined) => undated.filter((_, index) => holds[index] === hold);
  const free = placesOf(undefined);
  const written = free.filter((position) => isWritten(words[position]!));
  const meant = free.filter((position) => !written.includes(position));
  if (meant.every((position) => /\d/.test(words[position]!))) return undefined;
  const [required, preferred] = [[...placesOf('required'), ...written], placesOf('preferred')];
  const ask = (places: readonly number[], names: readonly number[]): Meaning => ({
    // As typed if all words are embedded, because models are trained on sentences.
    text: places.length === words.length ? query.trim() : places.map((position) => words[position]!).join(' '),
    words: places,
    names: names.map((position) => lists[position]!),
  });
  const all = undated.filter((position) => meant.includes(position) || preferred.includes(position));
  return {
    named: ask(meant, [...required, ...preferred]),
    loose: preferred.length === 0 ? undefined : ask(all, required),
    spans,
  };
};

/**
 * Returns true for words with numbers, which match literally or not at all. Except small numbers, which models
 * understand: three cats.
 */
const isWritten = (word: string): boolean => /\d/.test(word) && !/^\d{1,2}$/.test(word);

/** Returns the texts to embed. */
export const textsOf = ({ named, loose }: MeantQuery): readonly string[] =>
  loose === undefined ? [named.text] : [named.text, loose.text];

/** Semantic results, best first, and their reasons. */
export interface FoundByMeaning {
  readonly found: readonly Found[];
  /** Returns the positions of the words by which an item was found. */
  readonly wordsOf: (id: string) => readonly number[] | undefined;
}

/**
 * Returns the items that match the query semantically with its names, filters and dates, best first, followed by those
 * that match all words but lack ambiguous names. `until` is the last item as of the first page, so that the list keeps
 * its end. Undefined if the words cannot be embedded.
 */
export const findByMeaning = async (
  db: Database,
  userId: string,
  rank: RankByMeaning,
  { named, loose, spans }: MeantQuery,
  filters: readonly (readonly SearchList[])[],
  until: Found | undefined,
): Promise<FoundByMeaning | undefined> => {
  const find = (meaning: Meaning, base: number) =>
    findMeant(db, userId, rank, meaning, { filters, spans, base, until });
  const hasNames = await find(named, scoreOfNames);
  if (hasNames === undefined) return undefined;
  const ids = new Set(hasNames.map(({ id }) => id));
  const isLooked = until === undefined ? ids.size < maxMeant : until.score < scoreOfNames;
  const others = loose !== undefined && isLooked ? await find(loose, 0) : [];
  if (others === undefined) return undefined;
  const behind = others.filter(({ id }) => !ids.has(id));
  const idsBehind = new Set(behind.map(({ id }) => id));
  const found = [...hasNames, ...behind];
  return {
    found: until === undefined ? found.slice(0, maxMeant) : found,
    wordsOf: (id) => (ids.has(id) ? named.words : idsBehind.has(id) ? loose?.words : undefined),
  };
};

const findMeant = async (
  db: Database,
  userId: string,
  rank: RankByMeaning,
  { text, names }: Meaning,
  {
    filters,
    spans,
    base,
    until,
  }: {
    readonly filters: readonly (readonly SearchList[])[];
    readonly spans: readonly Span[];
    readonly base: number;
    readonly until: Found | undefined;
  },
): Promise<readonly Found[] | undefined> => {
  const required = [...names, ...filters];
  if (required.some((lists) => lists.length === 0)) return [];
  const { isExact, ...options } = await meantAmong(db, userId, required, spans);
  // If exactly the required items are ranked, no ranked item is dropped.
  const first = isExact ? maxMeant : maxRankedByMeaning;
  for (let limit = first; ; limit *= 4) {
    const meant = await rank(text, { limit, ...options });
    if (meant === undefined) return undefined;
    const likeness = new Map(meant.map((item) => [item.id, item.likeness]));
    const matches = await matchIds(db, userId, [...likeness.keys()], required, spans);
    const found = matches
      .map(({ id, localTime }): Found => ({ id, localTime, score: base + scoreOf(likeness.get(id) ?? 0) }))
      .toSorted(compareFound);
    // Items added since may have displaced others. Then ranks more, until the end of the first page's list is reached.
    const isRead = meant.length < limit || base + scoreOf(meant.at(-1)!.likeness) < (until?.score ?? Infinity);
    if (isRead) return until === undefined ? found : found.filter((item) => compareFound(item, until) <= 0);
  }
};
