import type { Database } from '@hearth/core/db/database.ts';
import type { ItemSet } from '../../semantic/candidates.ts';
import type { Span } from './dates/searchDateWords.ts';
import { selectSemanticCandidates } from './semanticCandidates.ts';
import { compareFound } from './lists/searchFusion.ts';
import type { Found, SearchList } from './lists/searchList.ts';
import { matchIds } from './searchMatches.ts';
import { getNameRole, type NameRole } from './lists/searchNames.ts';

/** Similarity of an item to words, 0 to 1. Constant for the same model, words and item. */
export interface SemanticMatch {
  readonly id: string;
  readonly likeness: number;
}

/**
 * Ranks a user's items by the similarity of their pictures to words. Returns the `limit` best, optionally among
 * `among`, without dissimilar ones. Undefined if the words cannot be embedded now.
 */
export type RankSemantically = (
  words: string,
  options: { readonly limit: number; readonly among?: ItemSet },
) => Promise<readonly SemanticMatch[] | undefined>;

/** Maximum number of semantic results. */
export const maxSemanticResults = 200;

/** Number of items to rank. Many of the best may lack a name or filter. */
const maxRankedSemantically = 1_000;

/** Converts a similarity to an integer score for sorting. */
const toScore = (likeness: number): number => Math.max(0, Math.round(likeness * 1e6));

/** Added to the score of items with all names, so that they rank before all others. */
const namesScore = 2e6;

/** Text to embed, and the names that its results must have. */
interface SemanticText {
  readonly text: string;
  /** Positions of the words to embed. */
  readonly words: readonly number[];
  /** Posting lists of each required name. */
  readonly names: readonly (readonly SearchList[])[];
}

/** The semantic part of a query, and its dates. */
export interface SemanticQuery {
  /** Requires all names. */
  readonly named: SemanticText;
  /** Requires only unambiguous names. Undefined if all names are unambiguous. Its results follow those of `named`. */
  readonly loose: SemanticText | undefined;
  readonly spans: readonly Span[];
}

/** Returns the semantic part of a query, or undefined if all words without digits are names or parts of dates. */
export const getSemanticQuery = (
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
): SemanticQuery | undefined => {
  const undated = [...words.keys()].filter((position) => !isDate(position));
  const roles = undated.map((position) => getNameRole(words[position]!, lists[position]!, isIntroduced(position)));
  const listPlaces = (role: NameRole | undefined) => undated.filter((_, index) => roles[index] === role);
  const free = listPlaces(undefined);
  const literal = free.filter((position) => isLiteral(words[position]!));
  const semantic = free.filter((position) => !literal.includes(position));
  if (semantic.every((position) => /\d/.test(words[position]!))) return undefined;
  const [required, preferred] = [[...listPlaces('required'), ...literal], listPlaces('preferred')];
  const createText = (places: readonly number[], names: readonly number[]): SemanticText => ({
    // As typed if all words are embedded, because models are trained on sentences.
    text: places.length === words.length ? query.trim() : places.map((position) => words[position]!).join(' '),
    words: places,
    names: names.map((position) => lists[position]!),
  });
  const all = undated.filter((position) => semantic.includes(position) || preferred.includes(position));
  return {
    named: createText(semantic, [...required, ...preferred]),
    loose: preferred.length === 0 ? undefined : createText(all, required),
    spans,
  };
};

/**
 * Returns true for words with numbers, which match literally or not at all. Small numbers are an exception, because
 * models understand them: 3 cats.
 */
const isLiteral = (word: string): boolean => /\d/.test(word) && !/^\d{1,2}$/.test(word);

/** Returns the texts to embed. */
export const listTexts = ({ named, loose }: SemanticQuery): readonly string[] =>
  loose === undefined ? [named.text] : [named.text, loose.text];

/** Semantic results, best first, and their reasons. */
export interface SemanticResults {
  readonly found: readonly Found[];
  /** Returns the positions of the words that matched an item. */
  readonly wordsByItem: (id: string) => readonly number[] | undefined;
}

/**
 * Returns the items that match the query semantically with its names, filters and dates, best first, followed by those
 * that match all words but lack ambiguous names. `until` is the last item as of the first page, so that the list keeps
 * its end. Undefined if the words cannot be embedded.
 */
export const findSemantically = async (
  db: Database,
  userId: string,
  rank: RankSemantically,
  { named, loose, spans }: SemanticQuery,
  filters: readonly (readonly SearchList[])[],
  until: Found | undefined,
): Promise<SemanticResults | undefined> => {
  const find = (text: SemanticText, base: number) =>
    findMatches(db, userId, rank, text, { filters, spans, base, until });
  const namedMatches = await find(named, namesScore);
  if (namedMatches === undefined) return undefined;
  const ids = new Set(namedMatches.map(({ id }) => id));
  const needsLoose = until === undefined ? ids.size < maxSemanticResults : until.score < namesScore;
  const others = loose !== undefined && needsLoose ? await find(loose, 0) : [];
  if (others === undefined) return undefined;
  const looseMatches = others.filter(({ id }) => !ids.has(id));
  const looseIds = new Set(looseMatches.map(({ id }) => id));
  const found = [...namedMatches, ...looseMatches];
  return {
    found: until === undefined ? found.slice(0, maxSemanticResults) : found,
    wordsByItem: (id) => (ids.has(id) ? named.words : looseIds.has(id) ? loose?.words : undefined),
  };
};

const findMatches = async (
  db: Database,
  userId: string,
  rank: RankSemantically,
  { text, names }: SemanticText,
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
  const { isExact, ...options } = await selectSemanticCandidates(db, userId, required, spans);
  // If exactly the required items are ranked, no ranked item is dropped.
  const first = isExact ? maxSemanticResults : maxRankedSemantically;
  for (let limit = first; ; limit *= 4) {
    const semantic = await rank(text, { limit, ...options });
    if (semantic === undefined) return undefined;
    const likeness = new Map(semantic.map((item) => [item.id, item.likeness]));
    const matches = await matchIds(db, userId, [...likeness.keys()], required, spans);
    const found = matches
      .map(({ id, localTime }): Found => ({ id, localTime, score: base + toScore(likeness.get(id) ?? 0) }))
      .toSorted(compareFound);
    // Items added since the first page may have displaced others. Then ranks more items, down to `until`.
    const isComplete =
      semantic.length < limit || base + toScore(semantic.at(-1)!.likeness) < (until?.score ?? Infinity);
    if (isComplete) return until === undefined ? found : found.filter((item) => compareFound(item, until) <= 0);
  }
};
