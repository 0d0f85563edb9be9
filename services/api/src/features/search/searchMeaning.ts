import type { Database } from '@hearth/core/db/database.ts';
import type { Among } from '../../meaning/candidates.ts';
import type { Span } from './dates/searchDateWords.ts';
import { meantAmong } from './meantAmong.ts';
import { compareFound } from './lists/searchFusion.ts';
import type { Found, SearchList } from './lists/searchList.ts';
import { matchAmong } from './searchMatches.ts';
import { holdOf, type NameHold } from './lists/searchNames.ts';

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
  options: { readonly limit: number; readonly among?: Among },
) => Promise<readonly Meant[] | undefined>;

/** How many items are found by meaning at most. */
export const maxMeant = 200;

/** How many are ranked: of those that fit best, many may lack a name or a filter. */
const maxRankedByMeaning = 1_000;

/** A whole number from a likeness, by which found items are sorted. */
const scoreOf = (likeness: number): number => Math.max(0, Math.round(likeness * 1e6));

/** What an item that has the names counts more than any that has not. */
const scoreOfNames = 2e6;

/** A way in which a query is asked by meaning. */
interface Meaning {
  readonly text: string;
  /** The words that are understood, by their places. */
  readonly words: readonly number[];
  /** What each word finds that has to be met. */
  readonly names: readonly (readonly SearchList[])[];
}

/** What of a query is asked by meaning, and when an item must have been taken. */
export interface MeantQuery {
  /** With all of its names. */
  readonly named: Meaning;
  /** With those alone that can be nothing else, where there are others: what it finds comes behind. */
  readonly loose: Meaning | undefined;
  readonly spans: readonly Span[];
}

/** What of a query is asked by meaning; nothing where all of its words are names and dates. */
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
    /** Whether a word stands behind one such as `in`. */
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
    // As it was typed where all of it is meant: models have learned from sentences.
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

/** Whether a word has a number that is met as it is written or not at all. Models know small ones, which say how many: three cats. */
const isWritten = (word: string): boolean => /\d/.test(word) && !/^\d{1,2}$/.test(word);

/** The texts whose meaning is asked for. */
export const textsOf = ({ named, loose }: MeantQuery): readonly string[] =>
  loose === undefined ? [named.text] : [named.text, loose.text];

/** What was found by meaning, the best first, and what is known of why. */
export interface FoundByMeaning {
  readonly found: readonly Found[];
  /** The places of the words by whose meaning an item was found. */
  readonly wordsOf: (id: string) => readonly number[] | undefined;
}

/**
 * The items that fit what a query means and that have its names, are what filters ask, and were taken when it says, the best first; behind them those
 * that fit all of its words and lack names that may be meant otherwise. `until` is the last one as it was when the first page was read, so that the
 * list keeps its end. Undefined where the words cannot be understood.
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
  // What is ranked is found where nothing else is ranked.
  const first = isExact ? maxMeant : maxRankedByMeaning;
  for (let limit = first; ; limit *= 4) {
    const meant = await rank(text, { limit, ...options });
    if (meant === undefined) return undefined;
    const likeness = new Map(meant.map((item) => [item.id, item.likeness]));
    const matches = await matchAmong(db, userId, [...likeness.keys()], required, spans);
    const found = matches
      .map(({ id, localTime }): Found => ({ id, localTime, score: base + scoreOf(likeness.get(id) ?? 0) }))
      .toSorted(compareFound);
    // Items that have come since may have pushed out others: then more are ranked, until the end of the first page's list is read.
    const isRead = meant.length < limit || base + scoreOf(meant.at(-1)!.likeness) < (until?.score ?? Infinity);
    if (isRead) return until === undefined ? found : found.filter((item) => compareFound(item, until) <= 0);
  }
};
