import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEffect, useState } from 'react';
import { matchesQuery, toMatches, type Match } from './matches.ts';

/** How long nobody has typed when suggestions are asked for, in milliseconds. */
const restMs = 150;

/** What of the library typed words may mean. A question that is no longer wanted is given up; until there is a new answer, the last one stays. */
export const useMatches = (typed: string): readonly Match[] => {
  const { i18n } = useTranslation();
  const text = typed.trim();
  const { data } = useQuery({ ...matchesQuery(useRested(text, restMs)), placeholderData: keepPreviousData });
  return text === '' || data === undefined ? [] : toMatches(data, i18n.language);
};

/** A value as it is once it has not changed for `ms` milliseconds: what is typed is asked for when nobody types. */
export const useRested = <Value>(value: Value, ms: number): Value => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
};
