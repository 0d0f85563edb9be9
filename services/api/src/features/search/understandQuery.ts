import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import { findDates, toSpans } from './dates/searchDates.ts';
import { findFilterLists, intersect, toSpan } from './lists/searchFilters.ts';
import { anyTime, type SearchList } from './lists/searchList.ts';
import { findSearchLists } from './lists/searchLists.ts';
import { maxRanked } from './searchMatches.ts';
import { getSemanticQuery, type SemanticQuery } from './semanticSearch.ts';
import { readQuery, listReadings, type Reading } from './searchReadings.ts';

/** A reading of a query with the posting lists of its words and of all filters. */
export interface UnderstoodReading {
  readonly kind: Reading['kind'];
  readonly lists: readonly (readonly SearchList[])[];
  readonly spans: readonly Span[];
}

/** Meaning of a query and its filters in a user's library. */
export interface UnderstoodQuery {
  /** Time of the first page. */
  readonly startedAt: string;
  readonly words: readonly string[];
  /** Positions of words that were read as words, not only as parts of dates. */
  readonly asWords: ReadonlySet<number>;
  /** Posting lists of each word. */
  readonly lists: readonly (readonly SearchList[])[];
  readonly mistyped: readonly number[];
  readonly filterLists: readonly (readonly SearchList[])[];
  /** Span of the filters. */
  readonly within: Span | undefined;
  /** Words that were read as dates, with their spans. */
  readonly dates: readonly { readonly words: readonly string[]; readonly spans: readonly Span[] }[];
  readonly readings: readonly UnderstoodReading[];
  /** The semantic part of the query, if semantic ranking is available. */
  readonly semantic: SemanticQuery | undefined;
}

/** Analyses a query. Reuses the start time and typos found for the previous pages. */
export const understandQuery = async (
  db: Database,
  user: { readonly userId: string; readonly features: Features },
  query: string,
  {
    filters,
    today,
    isSemanticOn,
  }: { readonly filters: SearchFilters; readonly today: string | undefined; readonly isSemanticOn: boolean },
  before: { readonly began: string; readonly mistyped: readonly number[] } | undefined,
): Promise<UnderstoodQuery> => {
  const { words, introduced, years, oldest, now } = await readQuery(db, user.userId, query);
  const startedAt = before?.began ?? now;
  const within = toSpan(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const dates = findDates(words, today ?? startedAt.slice(0, 'yyyy-mm-dd'.length));
  const isDate = (place: number) => dates.some(({ begin, end }) => place >= begin && place < end);
  // For a single word it is enough to know if it has any match.
  const countTo = words.length === 1 && !isFiltered ? 1 : maxRanked;
  const filterLists = await findFilterLists(db, user, filters, { countTo, oldest });
  const { lists, mistyped } = await findSearchLists(db, user, words, {
    countTo,
    isDate,
    oldest,
    mistyped: before?.mistyped.filter((place) => place < words.length),
  });
  const restrict = (spans: readonly Span[]) => (within === undefined ? spans : intersect(spans, within));
  // A query without words finds what its filters match. A query with only punctuation finds nothing.
  const isEmpty = words.length === 0 && (query !== '' || !isFiltered);
  const findsNothing = filterLists.some((term) => term.length === 0);
  const possible = listReadings(words, dates, isDate, years).filter(
    ({ words: places }) => !isEmpty && !findsNothing && places.every((place) => lists[place]!.length > 0),
  );
  const undated = [...words.keys()].filter((place) => !isDate(place));
  const spansOfDates = dates.length === 0 ? anyTime : dates.flatMap((date) => toSpans(date, years));
  const isIntroduced = (place: number) => introduced.has(place);
  const semantic = isSemanticOn
    ? getSemanticQuery(query, words, lists, { isDate, isIntroduced, spans: restrict(spansOfDates) })
    : undefined;
  const isDated = semantic !== undefined || possible.some(({ spans }) => spans !== undefined);
  return {
    startedAt,
    words,
    asWords: new Set([...undated, ...possible.flatMap(({ words: places }) => places)]),
    lists,
    mistyped,
    filterLists,
    within,
    dates: isDated
      ? dates.map((date) => ({ words: words.slice(date.begin, date.end), spans: toSpans(date, years) }))
      : [],
    readings: possible.map(({ kind, words: places, spans = anyTime }) => ({
      kind,
      lists: [...places.map((place) => lists[place]!), ...filterLists],
      spans: restrict(spans),
    })),
    semantic,
  };
};
