import { readDateWords, type Season } from './dateWords.ts';

/** A time in which something was taken. */
export interface DateSuggestion {
  readonly kind: 'date';
  /** The latest month of it in which something was taken: `2019-06`. */
  readonly id: string;
  readonly name: string;
}

/** How many times are suggested at once. */
const maxShown = 4;

/** How a season of a year is called; its year is a text such as `2020`, or `2020/21` for a winter. */
type NameSeason = (season: Season, year: string) => string;

/**
 * The months, seasons or years that typed words mean and in which something was taken, the latest first. `months` are those of the timeline, the
 * latest first. Seasons are those of the north; a winter begins in December.
 */
export const matchDates = (
  typed: string,
  months: readonly { readonly date: string }[],
  language: string,
  nameSeason: NameSeason,
): readonly DateSuggestion[] => {
  const wanted = readDateWords(typed, language);
  if (wanted === undefined) return [];
  const known = months.map(({ date }) => ({ date, year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)) }));
  if (wanted.seasons !== undefined) {
    const found = known.flatMap(({ date, year, month }) => {
      const { season, year: begun } = seasonOf(year, month);
      const isWanted = wanted.seasons?.includes(season) === true && (wanted.year ?? begun) === begun;
      const text = season === 'winter' ? `${begun}/${String(begun + 1).slice(2)}` : String(begun);
      return isWanted ? [{ id: date, name: nameSeason(season, text) }] : [];
    });
    return firstOfEachName(found);
  }
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const found = known
    .filter(({ year, month }) => (wanted.year ?? year) === year && (wanted.months?.includes(month) ?? true))
    .map(({ date, year, month }) => ({ id: date, name: format.format(Date.UTC(year, month - 1)) }));
  const [latest] = found;
  const isYear = wanted.months === undefined && latest !== undefined;
  return firstOfEachName(isYear ? [{ id: latest.id, name: String(wanted.year) }, ...found] : found);
};

function seasonOf(year: number, month: number): { readonly season: Season; readonly year: number } {
  if (month === 12) return { season: 'winter', year };
  if (month < 3) return { season: 'winter', year: year - 1 };
  return { season: month < 6 ? 'spring' : month < 9 ? 'summer' : 'autumn', year };
}

function firstOfEachName(found: readonly { readonly id: string; readonly name: string }[]): readonly DateSuggestion[] {
  return [...Map.groupBy(found, ({ name }) => name).values()]
    .flatMap(([first]) => (first === undefined ? [] : [{ kind: 'date' as const, ...first }]))
    .slice(0, maxShown);
}
