import type { SearchFilters } from '@hearth/contract/searchFilters.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Features } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import { findDates, spansOf } from './dates/searchDates.ts';
import { findFilterLists, intersect, spanOf } from './lists/searchFilters.ts';
import { anyTime, type SearchList } from './lists/searchList.ts';
import { findSearchLists } from './lists/searchLists.ts';
import { maxRanked } from './searchMatches.ts';
import { meantOf, type MeantQuery } from './searchMeaning.ts';
import { readQuery, readingsOf, type Reading } from './searchReadings.ts';

/** A reading of a query with the posting lists of its words and of all filters. */
export interface UnderstoodReading {
  readonly kind: Reading['kind'];
  readonly lists: readonly (readonly SearchList[])[];
  readonly spans: readonly Span[];
}

/** Meaning of a query and its filters in a user's library. */
export interface Understood {
  /** Time of the first page. */
  readonly began: string;
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
  readonly meant: MeantQuery | undefined;
}

/** Analyses a query. Reuses the start time and typos found for the previous pages. */
export const understand = async (
  db: Database,
  user: { readonly userId: string; readonly features: Features },
  query: string,
  {
    filters,
    today,
    hasMeaning,
  }: { readonly filters: SearchFilters; readonly today: string | undefined; readonly hasMeaning: boolean },
  before: { readonly began: string; readonly mistyped: readonly number[] } | undefined,
): Promise<Understood> => {
  const { words, introduced, years, oldest, now } = await readQuery(db, user.userId, query);
  const began = before?.began ?? now;
  const within = spanOf(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const dates = findDates(words, today ?? began.slice(0, 'yyyy-mm-dd'.length));
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
  // A query without words finds what its filters match. A query of punctuation only finds nothing.
  const isEmpty = words.length === 0 && (query !== '' || !isFiltered);
  const findsNothing = filterLists.some((ofFilter) => ofFilter.length === 0);
  const possible = readingsOf(words, dates, isDate, years).filter(
    ({ words: places }) => !isEmpty && !findsNothing && places.every((place) => lists[place]!.length > 0),
  );
  const undated = [...words.keys()].filter((place) => !isDate(place));
  const spansOfDates = dates.length === 0 ? anyTime : dates.flatMap((date) => spansOf(date, years));
  const isIntroduced = (place: number) => introduced.has(place);
  const meant = hasMeaning
    ? meantOf(query, words, lists, { isDate, isIntroduced, spans: restrict(spansOfDates) })
    : undefined;
  const isDated = meant !== undefined || possible.some(({ spans }) => spans !== undefined);
  return {
    began,
    words,
    asWords: new Set([...undated, ...possible.flatMap(({ words: places }) => places)]),
    lists,
    mistyped,
    filterLists,
    within,
    dates: isDated
      ? dates.map((date) => ({ words: words.slice(date.begin, date.end), spans: spansOf(date, years) }))
      : [],
    readings: possible.map(({ kind, words: places, spans = anyTime }) => ({
      kind,
      lists: [...places.map((place) => lists[place]!), ...filterLists],
      spans: restrict(spans),
    })),
    meant,
  };
};
