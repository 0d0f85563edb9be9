import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { matchDates, type DateSuggestion } from './matchDates.ts';
import { matchSuggestions } from './matchSuggestions.ts';
import { timelineMonthsQuery } from './timelineMonthsQuery.ts';
import { useSuggestions, type Suggestion } from './useSuggestions.ts';

/** Something that has a page of its own, and may be what typed words mean. */
export type Match = Suggestion | DateSuggestion;

/** How many matches are shown at once. */
const maxShown = 8;

/** What of the library typed words may mean by their names, and which times; times first where a number is typed. Nothing is loaded until `isWanted`. */
export const useMatches = (typed: string, isWanted: boolean): readonly Match[] => {
  const { t, i18n } = useTranslation('search');
  const suggestions = useSuggestions(isWanted);
  const { data: months = [] } = useQuery({ ...timelineMonthsQuery, enabled: isWanted });
  const dates = matchDates(typed, months, i18n.language, (season, year) => t(`season.${season}`, { year }));
  const names = matchSuggestions(typed, suggestions).slice(0, maxShown - dates.length);
  return /\d/.test(typed) ? [...dates, ...names] : [...names, ...dates];
};
