import { sql } from 'kysely';
import { maxSearchResults } from '@hearth/contract/limits.ts';
import type { Database } from '../connection/database.ts';
import { exactTime, offsetOf, type PageOf, type CursorPage } from '../connection/pages.ts';
import type { Features, LocalTime, MediaItemRow } from '../connection/schema.ts';
import { findDates, spansOf, type DateWords, type Span } from './searchDates.ts';
import { findSearchLists } from './searchLists.ts';
import { maxRanked, type Found } from './searchMatches.ts';
import { fuseRanked } from './searchFusion.ts';
import { findByDate, findByName, findByWords, type RankedTo } from './searchRanked.ts';

/** How many words of a query count; those behind are not looked at. */
const maxQueryWords = 32;

/** Words without which a query says the same. */
const fillers: ReadonlySet<string> = new Set('a an and at by for from in of on the to with'.split(' '));

/** The ways to understand a query: as the beginning of a file name, with its dates as dates, a month of a year also as a word in that year, and all words as words. */
export const readingKinds = ['named', 'dated', 'yearly', 'plain'] as const;

/** One way to understand a query: words that must be found, and when an item must have been taken. */
interface Reading {
  readonly kind: (typeof readingKinds)[number];
  readonly words: readonly number[];
  readonly spans?: readonly Span[];
}

/**
 * The place behind one item in what a query has found: for each reading of the query the values by which its last item was sorted. So the next page
 * goes on where the order was left, whatever has been added, removed or ranked otherwise since.
 */
export interface SearchPosition {
  /** When the first page was read, as `exactTime` writes it: what was uploaded later does not count towards the thousand results. */
  readonly began: string;
  /** How many items from before `began` the pages up to here have shown. */
  readonly served: number;
  /** Which words were taken for mistyped ones, by their places. */
  readonly mistyped: readonly number[];
  /** The kind of the reading whose turn it is. */
  readonly turn: Reading['kind'];
  readonly readings: readonly ReadingPosition[];
}

export interface ReadingPosition {
  readonly kind: Reading['kind'];
  readonly at?: Found | undefined;
  readonly rankedTo?: RankedTo | undefined;
}

/**
 * A page of a user's visible items that every word of a query finds, each by a name, file name, description, place, camera, text in the
 * picture, or date, the best first. A query that can be read in several ways, "may", finds by each of them.
 */
export const searchByText = async (
  db: Database,
  { userId, features }: { readonly userId: string; readonly features: Features },
  query: string,
  page: PageOf<SearchPosition>,
): Promise<CursorPage<MediaItemRow, SearchPosition>> => {
  const position = 'after' in page.start ? page.start.after : undefined;
  const [skip, served] = [offsetOf(page), position?.served ?? 0];
  const size = Math.min(page.limit, maxSearchResults - skip - served);
  const { words, years, oldest, now } = await readQuery(db, userId, query);
  if (words.length === 0 || size <= 0) return { entries: [], next: undefined };
  const dates = findDates(words);
  const isDate = (place: number) => dates.some(({ begin, end: behind }) => place >= begin && place < behind);
  // For a single word it is enough to know whether it finds anything.
  const countTo = words.length === 1 ? 1 : maxRanked;
  const { lists, mistyped } = await findSearchLists(db, { userId, features }, words, {
    countTo,
    isDate,
    oldest,
    mistyped: position?.mistyped.filter((place) => place < words.length),
  });
  const readings = readingsOf(words, dates, isDate, years).filter((reading) =>
    reading.words.every((place) => lists[place]!.length > 0),
  );
  const turn = readings.findIndex(({ kind }) => kind === position?.turn);
  const before = readings.map(({ kind }) => position?.readings.find((each) => each.kind === kind));
  // One item more than the page tells whether another page follows. Where items have come since the pages before, that may be too few: then four
  // times as many are read.
  for (let end = skip + served + size + 1; ; end *= 4) {
    const found = await Promise.all(
      readings.map(async (reading, index) =>
        reading.kind === 'named'
          ? findByName(db, userId, query, end)
          : reading.words.length === 0
            ? findByDate(db, userId, reading.spans ?? [], end)
            : findByWords(
                db,
                reading.words.map((place) => lists[place]!),
                reading.spans,
                end,
                before[index],
              ),
      ),
    );
    const fused = fuseRanked(
      found.map((list, index) => ({
        found: list.found,
        isWhole: list.found.length < end,
        after: before[index]?.at,
      })),
      { turn: Math.max(0, turn), skip, size },
    );
    if (fused.isShort && end < maxLookedThrough) continue;
    const entries = await readItems(db, userId, fused.ids);
    const began = position?.began ?? now;
    const added = entries.filter((item) => item.created_at > new Date(`${began}Z`));
    const next: SearchPosition = {
      began,
      served: skip + served + fused.ids.length - added.length,
      mistyped,
      turn: readings[fused.turn % readings.length]?.kind ?? 'plain',
      readings: readings.map(({ kind }, index) => ({ kind, at: fused.left[index], rankedTo: found[index]!.rankedTo })),
    };
    return {
      entries,
      next: fused.hasMore && next.served < maxSearchResults ? next : undefined,
    };
  }
};

/**
 * How many of the best items of a reading are read at most to find those behind a position: the items of earlier pages, and items that have come
 * since.
 */
const maxLookedThrough = 64_000;

/** The words of a query, folded, without doubles and fillers, and the years in which the user has taken anything, the last one first. */
const readQuery = async (db: Database, userId: string, query: string) => {
  const { rows } = await sql<{ words: string[]; now: string; oldest: LocalTime | null; newest: LocalTime | null }>`
    select split_search_words(${query}) as words, ${exactTime(sql`now()`)} as now, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible' order by local_time, id limit 1
    ) as oldest, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible'
      order by local_time desc, id desc limit 1
    ) as newest`.execute(db);
  const { words, now, oldest, newest } = rows[0]!;
  const distinct = [...new Set(words.map((word) => Array.from(word).slice(0, maxWordLength).join('')))];
  const telling = distinct.filter((word) => !fillers.has(word));
  const from = Math.max(yearOf(oldest), yearOf(newest) - maxYears + 1);
  return {
    oldest,
    now,
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

/** Six digits or more, as `has_long_number` has it: no word of a file name. */
const longNumber = /\d(.*\d){5}/;

/**
 * The readings of a query: as the beginning of a file name, where it has a number that is no word of file names; with its dates as dates; with a
 * month and its year (`june 2023`) as the word `june` in that year; and with all words as words.
 */
const readingsOf = (
  words: readonly string[],
  dates: readonly DateWords[],
  isDate: (position: number) => boolean,
  years: readonly number[],
): Reading[] => {
  const positions = [...words.keys()];
  const undated = positions.filter((position) => !isDate(position));
  const plain: Reading = { kind: 'plain', words: positions };
  const named: Reading[] = words.some((word) => longNumber.test(word)) ? [{ kind: 'named', words: [] }] : [];
  if (dates.length === 0) return [...named, plain];
  const dated: Reading = { kind: 'dated', words: undated, spans: dates.flatMap((date) => spansOf(date, years)) };
  const ofYears = dates.filter(({ year }) => year !== undefined);
  const isYear = (position: number) => ofYears.some(({ year }) => words[position] === String(year));
  const yearly: Reading = {
    kind: 'yearly',
    words: positions.filter((position) => !isYear(position)),
    spans: ofYears.flatMap(({ year }) => spansOf({ year: year! }, years)),
  };
  const isOther = ofYears.length > 0 && yearly.words.length > undated.length;
  return [...named, dated, ...(isOther ? [yearly] : []), plain];
};

/** The items in the order of `ids`; items that are no longer visible are left out. */
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
