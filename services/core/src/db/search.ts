import { sql } from 'kysely';
import { maxSearchResults } from '@hearth/contract/limits.ts';
import type { Database } from './database.ts';
import type { Features, LocalTime, MediaItemRow } from './schema.ts';
import { findDates, spansOf, type DateWords, type Span } from './searchDates.ts';
import { findSearchLists } from './searchLists.ts';
import { maxRanked } from './searchMatches.ts';
import { findByDate, findByWords } from './searchRanked.ts';

/** How many words of a query count; those behind are not looked at. */
const maxQueryWords = 32;

/** Words without which a query says the same. */
const fillers: ReadonlySet<string> = new Set('a an and at by for from in of on the to with'.split(' '));

/** One way to understand a query: words that must be found, and when an item must have been taken. */
interface Reading {
  readonly words: readonly number[];
  readonly spans?: readonly Span[];
}

/** Whose items are searched, and by what. */
export interface Searcher {
  readonly userId: string;
  readonly features: Features;
}

/**
 * A user's visible items that every word of a query finds, each by a name, file name, description, place, camera, text in the picture, or
 * date, the best first. A query that can be read in several ways, "may", finds by each of them.
 */
export const searchByText = async (
  db: Database,
  { userId, features }: Searcher,
  query: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly items: MediaItemRow[]; readonly hasMore: boolean }> => {
  const end = Math.min(offset + limit, maxSearchResults);
  const { words, years, oldest } = await readQuery(db, userId, query);
  if (words.length === 0 || end <= offset) return { items: [], hasMore: false };
  const dates = findDates(words);
  const isDate = (position: number) => dates.some(({ begin, end: behind }) => position >= begin && position < behind);
  // Of a single word it is enough to know whether it finds anything.
  const countTo = words.length === 1 ? 1 : maxRanked;
  const lists = await findSearchLists(db, { userId, features }, words, { countTo, isDate, oldest });
  const readings = readingsOf(words, dates, isDate, years).filter((reading) =>
    reading.words.every((position) => lists[position]!.length > 0),
  );
  // One more than the page, which tells whether another one follows.
  const found = await Promise.all(
    readings.map(async (reading) =>
      reading.words.length === 0
        ? findByDate(db, userId, reading.spans ?? [], end + 1)
        : findByWords(
            db,
            reading.words.map((position) => lists[position]!),
            reading.spans,
            end + 1,
          ),
    ),
  );
  const ids = fuseRanked(found);
  return {
    items: await readItems(db, userId, ids.slice(offset, end)),
    hasMore: ids.length > end && end < maxSearchResults,
  };
};

/** The words of a query, folded, without doubles and fillers, and the years in which the user has taken anything, the last one first. */
const readQuery = async (
  db: Database,
  userId: string,
  query: string,
): Promise<{
  readonly words: readonly string[];
  readonly years: readonly number[];
  readonly oldest: LocalTime | null;
}> => {
  const { rows } = await sql<{ words: string[]; oldest: LocalTime | null; newest: LocalTime | null }>`
    select split_search_words(${query}) as words, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible' order by local_time, id limit 1
    ) as oldest, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible'
      order by local_time desc, id desc limit 1
    ) as newest`.execute(db);
  const { words = [], oldest = null, newest = null } = rows[0] ?? {};
  const distinct = [...new Set(words.map((word) => Array.from(word).slice(0, maxWordLength).join('')))];
  const telling = distinct.filter((word) => !fillers.has(word));
  const from = Math.max(yearOf(oldest), yearOf(newest) - maxYears + 1);
  return {
    oldest,
    words: (telling.length === 0 ? distinct : telling).slice(0, maxQueryWords),
    years:
      newest === null ? [] : Array.from({ length: yearOf(newest) - from + 1 }, (_, index) => yearOf(newest) - index),
  };
};

/** Characters of a word that are kept, as in find_search_words. */
const maxWordLength = 40;

/** How many years a date without a year is looked for in: as long as people have taken photographs. */
const maxYears = 200;

const yearOf = (time: LocalTime | null): number => Number(time?.split('-')[0] ?? 0);

/** With dates as dates; a month of a year also as a word, in that year; and all words as words. */
const readingsOf = (
  words: readonly string[],
  dates: readonly DateWords[],
  isDate: (position: number) => boolean,
  years: readonly number[],
): Reading[] => {
  const positions = [...words.keys()];
  const undated = positions.filter((position) => !isDate(position));
  const plain: Reading = { words: positions };
  if (dates.length === 0) return [plain];
  const dated: Reading = { words: undated, spans: dates.flatMap((date) => spansOf(date, years)) };
  const ofYears = dates.filter(({ year }) => year !== undefined);
  const isYear = (position: number) => ofYears.some(({ year }) => words[position] === String(year));
  const yearly: Reading = {
    words: positions.filter((position) => !isYear(position)),
    spans: ofYears.flatMap(({ year }) => spansOf({ year: year! }, years)),
  };
  const isOther = ofYears.length > 0 && yearly.words.length > undated.length;
  return [dated, ...(isOther ? [yearly] : []), plain];
};

/**
 * Puts ranked lists into one: an item stands where the best of its ranks puts it, of equal ranks the one of the earlier list first. So what
 * comes first does not depend on how far the lists were made.
 */
const fuseRanked = (lists: readonly (readonly string[])[]): string[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return [...new Set(Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat())];
};

/** In this order; what is no longer shown is left out. */
const readItems = async (db: Database, userId: string, ids: readonly string[]): Promise<MediaItemRow[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('media_items')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('user_id', '=', userId)
    .where('visibility', '=', 'visible')
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
