import type { SearchSuggestion } from '@hearth/contract/search.ts';
import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { monthsByName } from './searchDateWords.ts';

/** Maximum number of suggested months and years. */
const maxDates = 4;

/** Minimum length of a prefix of a month's name. Shorter prefixes match too much. */
const minPrefixLength = 2;

/** Typed year and months. */
interface TypedDate {
  /** The year, or its first two or three digits. */
  readonly year?: string;
  /** Months that the typed word may mean. */
  readonly months?: ReadonlySet<number>;
}

/**
 * Suggests months and years with items that match the typed words, latest first. Calls `listMonths` only if the words
 * form a date.
 */
export const suggestDates = async (
  words: readonly string[],
  listMonths: () => Promise<readonly TimelineCount[]>,
): Promise<SearchSuggestion[]> => {
  const typed = readTyped(words);
  if (typed === undefined) return [];
  const { year = '', months } = typed;
  const matching = (await listMonths()).filter(
    ({ date }) => date.startsWith(year) && (months === undefined || months.has(Number(date.slice('yyyy-'.length)))),
  );
  const dates = matching.map(({ date, count }): SearchSuggestion => ({ kind: 'date', value: date, count }));
  if (months !== undefined) return dates.slice(0, maxDates);
  const years = [...Map.groupBy(matching, ({ date }) => date.slice(0, 'yyyy'.length))].map(
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
    months = findMonths(word, hasYear);
    if (months.size === 0) return undefined;
  }
  return { ...(year !== undefined && { year }), ...(months !== undefined && { months }) };
};

/** Returns the months that a word may mean: by a prefix of their name, or next to a year by number. */
const findMonths = (word: string, hasYear: boolean): ReadonlySet<number> => {
  if (hasYear && /^(?:0?[1-9]|1[0-2])$/.test(word)) return new Set([Number(word)]);
  if (word.length < minPrefixLength) return new Set();
  return new Set([...monthsByName].flatMap(([name, month]) => (name.startsWith(word) ? [month] : [])));
};
