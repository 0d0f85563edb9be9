import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { exactTime } from '../../database/pages.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import type { Span } from './dates/searchDateWords.ts';
import { spansOf, type DateWords } from './dates/searchDates.ts';
import { nameIntroducers } from './lists/searchNames.ts';

/** How many words of a query count; those behind are not looked at. */
const maxQueryWords = 32;

/** Words that may stand between one such as `in` and a name, in each language of the web app. */
const articles: ReadonlySet<string> = new Set(
  'a an my the das dem den der die ein eine einem einer mein meine meinen meiner'.split(' '),
);

/** Words without which a query says the same. */
const fillers: ReadonlySet<string> = new Set([
  ...articles,
  ...'and at by for from in of on taken to with am an auf aufgenommen aus bei im mit und vom von zum zur'.split(' '),
]);

/**
 * The ways to understand a query: as the beginning of a file name, with its dates as dates, a month of a year also as a word in that year, all words as
 * words, and what is no name by its meaning.
 */
export const readingKinds = ['named', 'dated', 'yearly', 'plain', 'meant'] as const;

export type ReadingKind = (typeof readingKinds)[number];

/** One way to understand a query: words that must be found, by their places, and when an item must have been taken. */
export interface Reading {
  readonly kind: Exclude<ReadingKind, 'meant'>;
  readonly words: readonly number[];
  readonly spans?: readonly Span[];
}

/**
 * The words of a query, folded, without doubles and fillers, which of them stand somewhere behind a word such as `in`, and the years in which the user
 * has taken anything, the last one first.
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
  const said = words.map((word) => Array.from(word).slice(0, maxWordLength).join(''));
  const distinct = [...new Set(said)];
  const telling = distinct.filter((word) => !fillers.has(word));
  const kept = (telling.length === 0 ? distinct : telling).slice(0, maxQueryWords);
  const introduced = new Set(said.filter((_, place) => isIntroduced(said, place)));
  const from = Math.max(yearOf(oldest), yearOf(newest) - maxYears + 1);
  return {
    oldest,
    now,
    words: kept,
    introduced: new Set(kept.keys().filter((place) => introduced.has(kept[place]!))),
    years:
      newest === null ? [] : Array.from({ length: yearOf(newest) - from + 1 }, (_, index) => yearOf(newest) - index),
  };
};

const isIntroduced = (words: readonly string[], place: number): boolean =>
  nameIntroducers.has(words.slice(0, place).findLast((word) => !articles.has(word)) ?? '');

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
export const readingsOf = (
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
