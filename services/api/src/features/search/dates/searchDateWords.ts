import type { LocalTime } from '@hearth/core/db/schema.ts';

/*
 * What words say of a time, in each language of the web app, without accents, as the words of a query are.
 */

/** A span of local time; `until` is the first moment behind it. */
export interface Span {
  readonly from: LocalTime;
  readonly until: LocalTime;
}

/** The local time at which a day begins; parts that run over go up into the next month or year. */
export const beginOf = (year: number, month: number, day: number): LocalTime => {
  const time = new Date(Date.UTC(year, month - 1, day)).toISOString();
  // Behind the year 9999 JavaScript writes years otherwise than PostgreSQL.
  return time.startsWith('+') ? 'infinity' : time.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
};

const monthNames = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
].map((names) => names.split(' '));

/** The number of each month by its name, or the first three letters of it. */
export const monthsByName: ReadonlyMap<string, number> = new Map([
  ...monthNames.flatMap((names) =>
    names.flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const]),
  ),
  ['sept', 9],
  ['maerz', 3],
]);

/** A time that comes once a year, and when it is in the year in which it begins. */
export type YearlyTime = (year: number) => Span;

const daysFrom = (year: number, month: number, day: number, days: number): Span => ({
  from: beginOf(year, month, day),
  until: beginOf(year, month, day + days),
});

/** The three months that begin with this one. */
const season =
  (month: number): YearlyTime =>
  (year) => ({ from: beginOf(year, month, 1), until: beginOf(year, month + 3, 1) });

/** From Good Friday to Easter Monday. */
const easter: YearlyTime = (year) => daysFrom(year, 3, easterSunday(year) - 2, 4);

/** The day of March on which Easter Sunday is, 32 for the first of April, by Gauss's rule with the corrections for the century. */
const easterSunday = (year: number): number => {
  const century = Math.floor(year / 100);
  const moon = 15 + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const sun = 4 + century - Math.floor(century / 4);
  const golden = year % 19;
  const d = (19 * golden + moon) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + sun) % 7;
  const isLate = (d === 29 && e === 6) || (d === 28 && e === 6 && golden > 10);
  return 22 + d + e - (isLate ? 7 : 0);
};

/** Seasons are those of the north, of whole months; a winter begins in December. */
const yearlyTimes: readonly (readonly [names: string, time: YearlyTime])[] = [
  ['spring fruhling fruhjahr', season(3)],
  ['summer sommer', season(6)],
  ['autumn fall herbst', season(9)],
  ['winter', season(12)],
  ['christmas xmas weihnachten weihnacht', (year) => daysFrom(year, 12, 24, 3)],
  ['easter ostern', easter],
  ['halloween', (year) => daysFrom(year, 10, 31, 1)],
  ['silvester', (year) => daysFrom(year, 12, 31, 2)],
];

const byWord = <Value>(entries: readonly (readonly [words: string, value: Value])[]): ReadonlyMap<string, Value> =>
  new Map(entries.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)));

export const yearlyTimesByName = byWord(yearlyTimes);

/** How many days ago a day is that has a name. */
export const daysAgoByName = byWord([
  ['today heute', 0],
  ['yesterday gestern', 1],
  ['vorgestern', 2],
]);

/** Whether the time that a word stands before is the one that is over, or that which has begun last. */
export const relationsByName = byWord<'last' | 'this'>([
  ['last letzte letzter letzten letztes vergangene vergangener vergangenen vergangenes', 'last'],
  ['this diese dieser diesen dieses', 'this'],
]);

export const unitsByName = byWord<'year' | 'month' | 'week'>([
  ['year jahr', 'year'],
  ['month monat', 'month'],
  ['week woche', 'week'],
]);
