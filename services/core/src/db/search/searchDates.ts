import type { LocalTime } from '../connection/schema.ts';

/** A span of local time; `until` is the first moment behind it. */
export interface Span {
  readonly from: LocalTime;
  readonly until: LocalTime;
}

/** Some words of a query that stand together for a date. Year or month alone, a day with its month, or all three. */
export interface DateWords {
  /** The first of them, and the first one behind them. */
  readonly begin: number;
  readonly end: number;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

/** In each language of the web app, without accents, as the words of a query are. */
const monthNames = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
].map((names) => names.split(' '));
const monthsByName = new Map([
  ...monthNames.flatMap((names) =>
    names.flatMap((name, index) => [[name, index + 1] as const, [name.slice(0, 3), index + 1] as const]),
  ),
  ['sept', 9],
  ['maerz', 3],
]);

/** Photographs are younger, and clocks of cameras are not wrong by more. */
const firstYear = 1800;
const lastYear = 2199;

const numberOf = (word: string, pattern: RegExp, min: number, max: number): number | undefined => {
  const [, digits] = pattern.exec(word) ?? [];
  const value = Number(digits);
  return value >= min && value <= max ? value : undefined;
};

/** What a word may be in a date, and its value then. */
const parts = {
  year: { of: 'year', read: (word: string) => numberOf(word, /^(\d{4})$/, firstYear, lastYear) },
  month: { of: 'month', read: (word: string) => numberOf(word, /^(\d{2})$/, 1, 12) },
  monthName: { of: 'month', read: (word: string) => monthsByName.get(word) },
  day: { of: 'day', read: (word: string) => numberOf(word, /^(\d{1,2})(?:st|nd|rd|th)?$/, 1, 31) },
} as const;

type Form = readonly (keyof typeof parts)[];

const yearMonthDay: Form = ['year', 'month', 'day'];

/** Ways to write a date, word by word, longer ones first: `12 June 2023`, `2023-06-12`, `12.06.2023`, `June`. Without spaces only `20230612`. */
const forms: readonly Form[] = [
  ['day', 'monthName', 'year'],
  ['monthName', 'day', 'year'],
  ['year', 'monthName', 'day'],
  yearMonthDay,
  ['day', 'month', 'year'],
  ['monthName', 'year'],
  ['year', 'monthName'],
  ['year', 'month'],
  ['day', 'monthName'],
  ['monthName', 'day'],
  ['year'],
  ['monthName'],
];

export const findDates = (words: readonly string[]): DateWords[] => {
  const dates: DateWords[] = [];
  for (let begin = 0; begin < words.length; begin++) {
    const [, ...digits] = /^(\d{4})(\d{2})(\d{2})$/.exec(words[begin]!) ?? [];
    const compact = readForm(digits, 0, yearMonthDay);
    const date =
      compact === undefined
        ? forms.map((form) => readForm(words, begin, form)).find((read) => read !== undefined)
        : { ...compact, begin, end: begin + 1 };
    if (date === undefined) continue;
    dates.push(date);
    begin = date.end - 1;
  }
  return dates;
};

const readForm = (words: readonly string[], begin: number, form: Form): DateWords | undefined => {
  const read: { year?: number; month?: number; day?: number } = {};
  for (const [index, part] of form.entries()) {
    const value = parts[part].read(words[begin + index] ?? '');
    if (value === undefined) return undefined;
    read[parts[part].of] = value;
  }
  const { year = 2024, month = 1, day = 1 } = read;
  return day > daysIn(year, month) ? undefined : { begin, end: begin + form.length, ...read };
};

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The spans that a date means in a library that begins and ends in these years; without a year it means every one of them. */
export const spansOf = ({ year, month, day }: Omit<DateWords, 'begin' | 'end'>, years: readonly number[]): Span[] =>
  (year === undefined ? years : [year])
    .filter((value) => day === undefined || day <= daysIn(value, month ?? 1))
    .map((value) => ({
      from: beginOf(value, month ?? 1, day ?? 1),
      until:
        day !== undefined
          ? beginOf(value, month ?? 1, day + 1)
          : month !== undefined
            ? beginOf(value, month + 1, 1)
            : beginOf(value + 1, 1, 1),
    }));

/** Parts that run over go up into the next month or year. */
const beginOf = (year: number, month: number, day: number): LocalTime =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
