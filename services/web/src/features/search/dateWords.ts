import { foldText } from './foldText.ts';

export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const;
export type Season = (typeof seasons)[number];

/** What typed words say of a time; each part only if they name it. A beginning of a name may mean several months or seasons. */
export interface DateWords {
  readonly year?: number;
  readonly months?: readonly number[];
  readonly seasons?: readonly Season[];
}

const seasonNames: Readonly<Record<Season, readonly string[]>> = {
  spring: ['spring', 'fruhling', 'fruhjahr'],
  summer: ['summer', 'sommer'],
  autumn: ['autumn', 'fall', 'herbst'],
  winter: ['winter'],
};

/** A shorter beginning of a name means too much. */
const shortestBeginning = 2;

const monthNames = (language: string): readonly string[] => {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => foldText(format.format(Date.UTC(2000, index))));
};

/**
 * The time that typed words mean: `june 2019`, `jun`, `06.2019`, `2019-06`, `summer 2020`, with names in the language of the app or in English;
 * undefined where any word means none. Years are of four digits from 1800 on.
 */
export const readDateWords = (typed: string, language: string): DateWords | undefined => {
  const words = foldText(typed)
    .split(/[\s./-]+/)
    .filter((word) => word !== '');
  let read: DateWords | undefined;
  const add = (part: DateWords): boolean => {
    const isNew = Object.keys(part).every((key) => read?.[key as keyof DateWords] === undefined);
    read = { ...read, ...part };
    return isNew && !(read.months !== undefined && read.seasons !== undefined);
  };
  const names = [monthNames(language), monthNames('en')];
  const hasYear = words.some((word) => /^(?:1[89]|2[01])\d\d$/.test(word));
  for (const word of words) {
    const part = partOf(word, names, hasYear);
    if (part === undefined || !add(part)) return undefined;
  }
  return read;
};

function partOf(word: string, names: readonly (readonly string[])[], hasYear: boolean): DateWords | undefined {
  if (/^(?:1[89]|2[01])\d\d$/.test(word)) return { year: Number(word) };
  if (hasYear && /^(?:0?[1-9]|1[0-2])$/.test(word)) return { months: [Number(word)] };
  if (word.length < shortestBeginning || /\d/.test(word)) return undefined;
  const months = Array.from({ length: 12 }, (_, index) => index + 1).filter((month) =>
    names.some((each) => each[month - 1]?.startsWith(word)),
  );
  if (months.length > 0) return { months };
  const found = seasons.filter((season) => seasonNames[season].some((name) => name.startsWith(word)));
  return found.length > 0 ? { seasons: found } : undefined;
}
