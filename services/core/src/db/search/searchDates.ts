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

const monthNames = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];
const monthsByName = new Map(monthNames.flatMap((names, index) => names.map((name) => [name, index + 1])));

/** Photographs are younger, and clocks of cameras are not wrong by more. */
const firstYear = 1800;
const lastYear = 2199;

const yearOf = (word: string): number | undefined => numberOf(word, /^(\d{4})$/, firstYear, lastYear);
const monthOf = (word: string): number | undefined => monthsByName.get(word);
const monthNumberOf = (word: string): number | undefined => numberOf(word, /^(\d{2})$/, 1, 12);
const dayOf = (word: string): number | undefined => numberOf(word, /^(\d{1,2})(?:st|nd|rd|th)?$/, 1, 31);

const numberOf = (word: string, pattern: RegExp, min: number, max: number): number | undefined => {
  const [, digits] = pattern.exec(word) ?? [];
  const value = Number(digits);
  return value >= min && value <= max ? value : undefined;
};

type Form = readonly (readonly ['year' | 'month' | 'day', (word: string) => number | undefined])[];

const yearMonthDay: Form = [
  ['year', yearOf],
  ['month', monthNumberOf],
  ['day', dayOf],
];

/** Ways to write a date, word by word, longer ones first: `12 June 2023`, `2023-06-12`, `12.06.2023`, `June`. Without spaces only `20230612`. */
const forms: readonly Form[] = [
  [
    ['day', dayOf],
    ['month', monthOf],
    ['year', yearOf],
  ],
  [
    ['month', monthOf],
    ['day', dayOf],
    ['year', yearOf],
  ],
  [
    ['year', yearOf],
    ['month', monthOf],
    ['day', dayOf],
  ],
  yearMonthDay,
  [
    ['day', dayOf],
    ['month', monthNumberOf],
    ['year', yearOf],
  ],
  [
    ['month', monthOf],
    ['year', yearOf],
  ],
  [
    ['year', yearOf],
    ['month', monthOf],
  ],
  [
    ['year', yearOf],
    ['month', monthNumberOf],
  ],
  [
    ['day', dayOf],
    ['month', monthOf],
  ],
  [
    ['month', monthOf],
    ['day', dayOf],
  ],
  [['year', yearOf]],
  [['month', monthOf]],
];

/** The dates among the words of a query, in their order. */
export const findDates = (words: readonly string[]): DateWords[] => {
  const dates: DateWords[] = [];
  for (let begin = 0; begin < words.length; begin++) {
    const [, ...parts] = /^(\d{4})(\d{2})(\d{2})$/.exec(words[begin]!) ?? [];
    const compact = readForm(parts, 0, yearMonthDay);
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
  for (const [index, [part, parse]] of form.entries()) {
    const value = parse(words[begin + index] ?? '');
    if (value === undefined) return undefined;
    read[part] = value;
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
