import type { SearchSuggestion } from '@hearth/contract/search.ts';
import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { monthsByName } from './searchDateWords.ts';

/** How many months and years are suggested at once. */
const maxDates = 4;

/** A shorter beginning of a name, or of a year, means too much. */
const shortestBeginning = 2;

/** What typed words say of a month and its year; the name of the month and the year may be unfinished. */
interface TypedDate {
  readonly year?: string;
  readonly months?: ReadonlySet<number>;
}

/** The months and years that typed words mean and in which something was taken, the latest first; `listMonths` is asked where words mean any. */
export const suggestDates = async (
  words: readonly string[],
  listMonths: () => Promise<readonly TimelineCount[]>,
): Promise<SearchSuggestion[]> => {
  const typed = readTyped(words);
  if (typed === undefined) return [];
  const { year = '', months } = typed;
  const known = (await listMonths()).filter(
    ({ date }) => date.startsWith(year) && (months === undefined || months.has(Number(date.slice('yyyy-'.length)))),
  );
  const dates = known.map(({ date, count }): SearchSuggestion => ({ kind: 'date', value: date, count }));
  if (months !== undefined) return dates.slice(0, maxDates);
  const years = [...Map.groupBy(known, ({ date }) => date.slice(0, 'yyyy'.length))].map(
    ([value, ofYear]): SearchSuggestion => ({
      kind: 'date',
      value,
      count: ofYear.reduce((sum, { count }) => sum + count, 0),
    }),
  );
  return (years.length === 1 ? [...years, ...dates] : years).slice(0, maxDates);
};

const readTyped = (words: readonly string[]): TypedDate | undefined => {
  let [year, months]: [string?, ReadonlySet<number>?] = [];
  const hasYear = words.some((word) => /^\d{4}$/.test(word));
  for (const word of words) {
    if (year === undefined && /^(?:1[89]|2[01])\d{0,2}$/.test(word) && (word.length === 4 || !hasYear)) {
      year = word;
      continue;
    }
    if (months !== undefined) return undefined;
    months = monthsOf(word, hasYear);
    if (months.size === 0) return undefined;
  }
  return { ...(year !== undefined && { year }), ...(months !== undefined && { months }) };
};

/** The months that a word may mean: by a beginning of their name, or beside a year by their number. */
const monthsOf = (word: string, hasYear: boolean): ReadonlySet<number> => {
  if (hasYear && /^(?:0?[1-9]|1[0-2])$/.test(word)) return new Set([Number(word)]);
  if (word.length < shortestBeginning) return new Set();
  return new Set([...monthsByName].flatMap(([name, month]) => (name.startsWith(word) ? [month] : [])));
};
