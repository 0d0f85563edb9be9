import type { LocalTime } from '@hearth/core/db/schema.ts';

/* Date words in each language of the web app, folded like the words of a query. */

/** A span of local time. `until` is exclusive. */
export interface Span {
  readonly from: LocalTime;
  readonly until: LocalTime;
}

/** Returns the local time at the start of a day. Overflowing months and days carry over. */
export const getStartOfDay = (year: number, month: number, day: number): LocalTime => {
  const time = new Date(Date.UTC(year, month - 1, day)).toISOString();
  // After the year 9999, JavaScript formats years differently from PostgreSQL.
  return time.startsWith('+') ? 'infinity' : time.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
};

const monthNames = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
].map((names) => names.split(' '));

/** Month numbers by name and by its first three letters. */
export const monthsByName: ReadonlyMap<string, number> = new Map([
  ...monthNames.flatMap((names) =>
    names.flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const]),
  ),
  ['sept', 9],
  ['maerz', 3],
]);

/** A time that recurs every year, and its span in the year in which it starts. */
export type YearlyTime = (year: number) => Span;

const daysFrom = (year: number, month: number, day: number, days: number): Span => ({
  from: getStartOfDay(year, month, day),
  until: getStartOfDay(year, month, day + days),
});

/** Three months starting with this one. */
const season =
  (month: number): YearlyTime =>
  (year) => ({ from: getStartOfDay(year, month, 1), until: getStartOfDay(year, month + 3, 1) });

/** From Good Friday to Easter Monday. */
const easter: YearlyTime = (year) => daysFrom(year, 3, easterSunday(year) - 2, 4);

/**
 * Returns the day of March of Easter Sunday (32 is April 1) by Gauss's algorithm with its corrections for the century.
 */
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

/** Seasons of the northern hemisphere in whole months. Winter starts in December. */
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

const mapByWord = <Value>(entries: readonly (readonly [words: string, value: Value])[]): ReadonlyMap<string, Value> =>
  new Map(entries.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)));

export const yearlyTimesByName = mapByWord(yearlyTimes);

/** Number of days before today. */
export const daysAgoByName = mapByWord([
  ['today heute', 0],
  ['yesterday gestern', 1],
  ['vorgestern', 2],
]);

/** `last`: the latest span that is over. `this`: the latest one that has started. */
export const relationsByName = mapByWord<'last' | 'this'>([
  ['last letzte letzter letzten letztes vergangene vergangener vergangenen vergangenes', 'last'],
  ['this diese dieser diesen dieses', 'this'],
]);

export const unitsByName = mapByWord<'year' | 'month' | 'week'>([
  ['year jahr', 'year'],
  ['month monat', 'month'],
  ['week woche', 'week'],
]);
