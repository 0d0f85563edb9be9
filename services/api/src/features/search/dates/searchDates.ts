import { getStartOfDay, monthsByName, yearlyTimesByName, type Span, type YearlyTime } from './searchDateWords.ts';
import { readRelative } from './searchRelativeDates.ts';

/**
 * Consecutive words of a query that form a date: a year, a month, a day with its month, a named time or a relative one.
 * Months, days and named times may have a year.
 */
export interface DateWords {
  /** Position of the first word. */
  readonly begin: number;
  /** Position after the last word. */
  readonly end: number;
  /** A recurring time such as a season or holiday. */
  readonly yearly?: YearlyTime;
  /** A time relative to today. */
  readonly span?: Span;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

/** Range of plausible years: the first photographs, and cameras with wrong clocks. */
const firstYear = 1800;
const lastYear = 2199;

const parseNumber = (word: string, pattern: RegExp, min: number, max: number): number | undefined => {
  const [, digits] = pattern.exec(word) ?? [];
  const value = Number(digits);
  return value >= min && value <= max ? value : undefined;
};

/** Possible parts of a date. `read` parses a word. */
const parts = {
  year: { of: 'year', read: (word: string) => parseNumber(word, /^(\d{4})$/, firstYear, lastYear) },
  month: { of: 'month', read: (word: string) => parseNumber(word, /^(\d{2})$/, 1, 12) },
  monthName: { of: 'month', read: (word: string) => monthsByName.get(word) },
  yearly: { of: 'yearly', read: (word: string) => yearlyTimesByName.get(word) },
  day: { of: 'day', read: (word: string) => parseNumber(word, /^(\d{1,2})(?:st|nd|rd|th)?$/, 1, 31) },
} as const;

type Form = readonly (keyof typeof parts)[];

const yearMonthDay: Form = ['year', 'month', 'day'];

/**
 * Date formats as sequences of words, longer ones first: `12 June 2023`, `2023-06-12`, `12.06.2023`, `June`. `findDates`
 * also reads `20230612`, the only format without separators.
 */
const forms: readonly Form[] = [
  ['day', 'monthName', 'year'],
  ['monthName', 'day', 'year'],
  ['year', 'monthName', 'day'],
  yearMonthDay,
  ['day', 'month', 'year'],
  ['monthName', 'year'],
  ['year', 'monthName'],
  ['yearly', 'year'],
  ['year', 'yearly'],
  ['year', 'month'],
  ['day', 'monthName'],
  ['monthName', 'day'],
  ['year'],
  ['monthName'],
  ['yearly'],
];

/** Finds the dates in the words of a query. `today`, such as `2026-11-25`, resolves relative ones. */
export const findDates = (words: readonly string[], today: string): DateWords[] => {
  const dates: DateWords[] = [];
  for (let begin = 0; begin < words.length; begin++) {
    const [, ...digits] = /^(\d{4})(\d{2})(\d{2})$/.exec(words[begin]!) ?? [];
    const compact = readForm(digits, 0, yearMonthDay);
    const relative = readRelative(words, begin, today);
    const date =
      compact === undefined
        ? relative !== undefined
          ? { ...relative, begin }
          : forms.map((form) => readForm(words, begin, form)).find((read) => read !== undefined)
        : { ...compact, begin, end: begin + 1 };
    if (date === undefined) continue;
    dates.push(date);
    begin = date.end - 1;
  }
  return dates;
};

const readForm = (words: readonly string[], begin: number, form: Form): DateWords | undefined => {
  const read: { year?: number; month?: number; day?: number; yearly?: YearlyTime } = {};
  for (const [index, part] of form.entries()) {
    const word = words[begin + index] ?? '';
    const value = parts[part].read(word);
    if (value === undefined) return undefined;
    Object.assign(read, { [parts[part].of]: value });
  }
  // Without a year, checks the day in a leap year, because February 29 is possible.
  const { year = 2024, month = 1, day = 1 } = read;
  return day > daysIn(year, month) ? undefined : { begin, end: begin + form.length, ...read };
};

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Returns the spans of a date. Without a year, one for each of `years`, latest first. */
export const toSpans = (date: Omit<DateWords, 'begin' | 'end'>, years: readonly number[]): Span[] => {
  const { year, month, day, yearly, span } = date;
  if (span !== undefined) return [span];
  const candidateYears = year === undefined ? years : [year];
  // The winter before the earliest year reaches into it.
  const before = year === undefined && years.length > 0 ? [years.at(-1)! - 1] : [];
  if (yearly !== undefined) return [...candidateYears, ...before].map(yearly);
  return candidateYears
    .filter((value) => day === undefined || day <= daysIn(value, month ?? 1))
    .map((value) => ({
      from: getStartOfDay(value, month ?? 1, day ?? 1),
      until:
        day !== undefined
          ? getStartOfDay(value, month ?? 1, day + 1)
          : month !== undefined
            ? getStartOfDay(value, month + 1, 1)
            : getStartOfDay(value + 1, 1, 1),
    }));
};
