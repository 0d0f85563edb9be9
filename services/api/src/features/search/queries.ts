import { sql } from 'kysely';
import { maxSearchResults } from '@hearth/contract/limits.ts';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { getOffset, type PageOf, type CursorPage } from '../../database/pages.ts';
import type { Features, MediaItemRow } from '@hearth/core/db/schema.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { fusedRanks, fuseRanked, type RankedList } from './lists/searchFusion.ts';
import type { Found } from './lists/searchList.ts';
import { findSemantically, listTexts, type SemanticResults, type RankSemantically } from './semanticSearch.ts';
import { findByDate, findByName, findByWords, type Ranked, type RankedTo } from './searchRanked.ts';
import type { ReadingKind } from './searchReadings.ts';
import { explainItems, type Reasoning, type SearchReason } from './searchReasons.ts';
import { understandQuery, type UnderstoodQuery, type UnderstoodReading } from './understandQuery.ts';

/**
 * Position after an item in the results. It has the sort values of the last item of each reading (`ReadingKind`), so that
 * the next page continues in the same order, whatever was added, removed or ranked differently since.
 */
export interface SearchPosition {
  /**
   * Time of the first page, as formatted by `exactTime`. Items uploaded later do not count towards the limit of a
   * thousand results.
   */
  readonly began: string;
  /** Number of items from before `began` shown so far. */
  readonly served: number;
  /** Positions of words treated as typos. */
  readonly mistyped: readonly number[];
  /** Marks of shown items that are after the position in all readings, see `fuseRanked`. */
  readonly ahead: string;
  readonly readings: readonly ReadingPosition[];
}

export interface ReadingPosition {
  readonly kind: ReadingKind;
  readonly at?: Found | undefined;
  readonly rankedTo?: RankedTo | undefined;
  /** Last item of the semantic results as of the first page. */
  readonly until?: Found | undefined;
}

export interface SearchOptions {
  readonly filters?: SearchFilters;
  /** The user's current day (`2026-11-25`), for relative dates. Defaults to the day of the first page in UTC. */
  readonly today?: string | undefined;
  /** Semantic ranking. Without it, words without matches find nothing. */
  readonly rankSemantically?: RankSemantically | undefined;
}

export interface SearchPage extends CursorPage<MediaItemRow, SearchPosition> {
  /** Reasons of each result. */
  readonly reasons: ReadonlyMap<string, readonly SearchReason[]>;
  /** True if semantic ranking was used. */
  readonly isSemantic: boolean;
}

/** A search whose query has been analysed. */
export interface PreparedSearch {
  readonly userId: string;
  readonly query: string;
  readonly page: PageOf<SearchPosition>;
  readonly understood: UnderstoodQuery;
  /** Texts that `rankSemantically` will need, so that they can be embedded without holding a connection. */
  readonly semantic: readonly string[];
}

/** Analyses a query in a user's library. `isSemanticOn`: semantic ranking is available. */
export const prepareSearch = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  query: string,
  page: PageOf<SearchPosition>,
  { filters = {}, today, isSemanticOn }: Omit<SearchOptions, 'rankSemantically'> & { readonly isSemanticOn: boolean },
): Promise<PreparedSearch> => {
  const understood = await understandQuery(
    db,
    { userId, features },
    query,
    { filters, today, isSemanticOn },
    getPosition(page),
  );
  const { semantic } = understood;
  return {
    userId,
    query,
    page,
    understood,
    semantic: semantic !== undefined && getPageSize(page) > 0 ? listTexts(semantic) : [],
  };
};

/** Returns a page of a search, see `findPrepared`. */
export const searchByText = async (
  db: Database,
  user: { readonly userId: string; readonly features: Features },
  query: string,
  page: PageOf<SearchPosition>,
  { rankSemantically, ...options }: SearchOptions = {},
): Promise<SearchPage> => {
  const isSemanticOn = rankSemantically !== undefined;
  return findPrepared(db, await prepareSearch(db, user, query, page, { ...options, isSemanticOn }), rankSemantically);
};

const getPosition = ({ start }: PageOf<SearchPosition>): SearchPosition | undefined =>
  'after' in start ? start.after : undefined;

/** Returns the maximum number of results on a page, within the limit of a thousand results. */
const getPageSize = (page: PageOf<SearchPosition>): number =>
  Math.min(page.limit, maxSearchResults - getOffset(page) - (getPosition(page)?.served ?? 0));

/**
 * Returns a page of a user's visible items that match every word and all filters, best first. A word matches a name,
 * filename, description, place, camera, text in the picture, property or date. An ambiguous query ("may") finds the
 * items of each reading. Words that are not names also find items by meaning. Without words, returns the newest matches
 * of the filters.
 */
export const findPrepared = async (
  db: Database,
  { userId, query, page, understood }: PreparedSearch,
  rankSemantically: RankSemantically | undefined,
): Promise<SearchPage> => {
  const position = getPosition(page);
  const [skip, served, size] = [getOffset(page), position?.served ?? 0, getPageSize(page)];
  const { readings, filterLists, semantic: semanticQuery } = understood;
  const before = (kind: ReadingKind) => position?.readings.find((each) => each.kind === kind);
  const semantic =
    size > 0 && semanticQuery && rankSemantically
      ? await findSemantically(db, userId, rankSemantically, semanticQuery, filterLists, before('meant')?.until)
      : undefined;
  const isSemantic = semantic !== undefined;
  if (size <= 0) return { entries: [], next: undefined, reasons: new Map(), isSemantic };
  // One extra item shows if another page follows. If items were added since the previous pages, that may be too few, so
  // the next attempt reads four times as many.
  for (let end = Math.max(skip + served + size + 1, semantic === undefined ? 0 : fusedRanks); ; end *= 4) {
    const found = await Promise.all(
      readings.map((reading) => findByReading(db, userId, query, reading, end, before(reading.kind))),
    );
    const ranked = found.map(({ found: items }, index): RankedList & { readonly kind: ReadingKind } => {
      const { kind } = readings[index]!;
      return { kind, found: items, isWhole: items.length < end, after: before(kind)?.at };
    });
    if (semantic !== undefined)
      ranked.push({
        kind: 'meant',
        found: semantic.found,
        isWhole: true,
        after: before('meant')?.at,
        isSemantic: true,
      });
    const fused = fuseRanked(ranked, { ahead: position?.ahead ?? '', skip, size });
    if (fused.isShort && end < maxExamined) continue;
    const entries = await listVisibleItems(db, userId, fused.ids);
    const { startedAt } = understood;
    const added = entries.filter((item) => item.created_at > new Date(`${startedAt}Z`));
    const next: SearchPosition = {
      began: startedAt,
      served: skip + served + fused.ids.length - added.length,
      mistyped: understood.mistyped,
      ahead: fused.ahead,
      readings: [
        ...ranked.map(({ kind }, index) => ({
          kind,
          at: fused.left[index],
          rankedTo: found[index]?.rankedTo,
          until: kind === 'meant' ? (before(kind)?.until ?? semantic?.found.at(-1)) : undefined,
        })),
        // Keeps readings that have no results now, because a later page may find some.
        ...(position?.readings.filter((each) => !ranked.some(({ kind }) => kind === each.kind)) ?? []),
      ],
    };
    return {
      entries,
      next: fused.hasMore && next.served < maxSearchResults ? next : undefined,
      reasons: await explainItems(db, userId, entries, createReasoning(understood, query, semantic)),
      isSemantic,
    };
  }
};

/** Maximum number of items per reading to read past a position: items of earlier pages and items added since. */
const maxExamined = 64_000;

const findByReading = async (
  db: Database,
  userId: string,
  query: string,
  { kind, lists, spans }: UnderstoodReading,
  end: number,
  before: ReadingPosition | undefined,
): Promise<Ranked> => {
  if (kind === 'named') return findByName(db, userId, query, end, lists, spans);
  return lists.length === 0 ? findByDate(db, userId, spans, end) : findByWords(db, lists, spans, end, before);
};

const createReasoning = (
  { words, asWords, lists, filterLists, dates, within, readings }: UnderstoodQuery,
  query: string,
  semantic: SemanticResults | undefined,
): Reasoning => ({
  query: [
    ...[...asWords].map((place) => ({ word: words[place]!, lists: lists[place]! })),
    ...filterLists.map((each) => ({ word: undefined, lists: each })),
  ],
  dates: [...dates, ...(within === undefined ? [] : [{ words: [], spans: [within] }])],
  named: readings.some(({ kind }) => kind === 'named') ? { beginning: query, words } : undefined,
  semantic: (id) => semantic?.wordsByItem(id)?.map((place) => words[place]!),
});

/** Returns the user's visible items among `ids`, in the given order. */
export const listVisibleItems = async (
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<MediaItemRow[]> => {
  const { rows } = await sql<MediaItemRow>`
    select item.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, nth)
      join media_items as item on item.id = wanted.id
    where item.user_id = ${userId} and item.visibility = 'visible' order by nth`.execute(prepared(db, 'visible_items'));
  return rows;
};
