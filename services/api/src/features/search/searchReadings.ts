import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { exactTime } from '../../database/pages.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import { toSpans, type DateWords } from './dates/searchDates.ts';
import { nameIntroducers } from './lists/searchNames.ts';

/** Words of a query beyond this number are ignored. */
const maxQueryWords = 32;

/** Words that may stand between an introducing word such as `in` and a name, in each language of the web app. */
const articles: ReadonlySet<string> = new Set(
  'a an my the das dem den der die ein eine einem einer mein meine meinen meiner'.split(' '),
);

/** Stop words. */
const fillers: ReadonlySet<string> = new Set([
  ...articles,
  ...'and at by for from in of on taken to with am an auf aufgenommen aus bei im mit und vom von zum zur'.split(' '),
]);

/**
 * Ways to understand a query.
 *
 * - `named`: as the start of a filename.
 * - `dated`: with its dates as dates.
 * - `yearly`: with only the year of a date as a date, so that `june 2023` finds the word `june` in 2023.
 * - `plain`: all words as words.
 * - `meant`: by meaning.
 */
export const readingKinds = ['named', 'dated', 'yearly', 'plain', 'meant'] as const;

export type ReadingKind = (typeof readingKinds)[number];

/** One way to understand a query: required words by position, and required dates. */
export interface Reading {
  readonly kind: Exclude<ReadingKind, 'meant'>;
  readonly words: readonly number[];
  readonly spans?: readonly Span[];
}

/**
 * Splits a query into folded words without duplicates and stop words. Keeps the stop words if there are no others. Also
 * returns the positions of words that a word such as `in` introduces, and all years from the oldest to the newest item,
 * latest first, at most `maxYears`.
 */
export const readQuery = async (db: Database, userId: string, query: string) => {
  const { rows } = await sql<{ words: string[]; now: string; oldest: LocalTime | null; newest: LocalTime | null }>`
    select split_search_words(${query}) as words, ${exactTime(sql`now()`)} as now, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible' order by local_time, id limit 1
    ) as oldest, (
      select local_time from media_items where user_id = ${userId} and visibility = 'visible'
      order by local_time desc, id desc limit 1
    ) as newest`.execute(db);
  const { words, now, oldest, newest } = rows[0]!;
  const allWords = words.map((word) => Array.from(word).slice(0, maxWordLength).join(''));
  const distinct = [...new Set(allWords)];
  const meaningful = distinct.filter((word) => !fillers.has(word));
  const searchWords = (meaningful.length === 0 ? distinct : meaningful).slice(0, maxQueryWords);
  const introduced = new Set(allWords.filter((_, place) => isIntroduced(allWords, place)));
  const from = Math.max(getYear(oldest), getYear(newest) - maxYears + 1);
  return {
    oldest,
    now,
    words: searchWords,
    introduced: new Set(searchWords.keys().filter((place) => introduced.has(searchWords[place]!))),
    years:
      newest === null ? [] : Array.from({ length: getYear(newest) - from + 1 }, (_, index) => getYear(newest) - index),
  };
};

const isIntroduced = (words: readonly string[], place: number): boolean =>
  nameIntroducers.has(words.slice(0, place).findLast((word) => !articles.has(word)) ?? '');

/** Maximum stored length of a word, in characters, as in find_search_words. */
const maxWordLength = 40;

/** Maximum number of years for a date without a year. Photography is about 200 years old. */
const maxYears = 200;

const getYear = (time: LocalTime | null): number => Number(time?.split('-')[0] ?? 0);

/** Six digits or more, as in `has_long_number`. Such numbers are not indexed as words of filenames. */
const longNumber = /\d(.*\d){5}/;

/**
 * Returns the readings of a query.
 *
 * - As the start of a filename, if it has a long number.
 * - With its dates as dates.
 * - With only the year of a date as a date, so that `june 2023` finds the word `june` in 2023.
 * - With all words as words.
 */
export const listReadings = (
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
  const dated: Reading = { kind: 'dated', words: undated, spans: dates.flatMap((date) => toSpans(date, years)) };
  const datesWithYear = dates.filter(({ year }) => year !== undefined);
  const isYear = (position: number) => datesWithYear.some(({ year }) => words[position] === String(year));
  const yearly: Reading = {
    kind: 'yearly',
    words: positions.filter((position) => !isYear(position)),
    spans: datesWithYear.flatMap(({ year }) => toSpans({ year: year! }, years)),
  };
  const hasYearly = datesWithYear.length > 0 && yearly.words.length > undated.length;
  return [...named, dated, ...(hasYearly ? [yearly] : []), plain];
};
