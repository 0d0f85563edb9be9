import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEffect, useState } from 'react';
import { matchesQuery, toMatches, type Match } from './matches.ts';

/** Typing pause before suggestions are requested, in ms. */
const debounceMs = 150;

/**
 * Returns suggestions for the typed text. Cancels outdated requests, and keeps the previous suggestions while new ones
 * load.
 */
export const useMatches = (typed: string): readonly Match[] => {
  const { i18n } = useTranslation();
  const text = typed.trim();
  const { data } = useQuery({ ...matchesQuery(useDebounced(text, debounceMs)), placeholderData: keepPreviousData });
  return text === '' || data === undefined ? [] : toMatches(data, i18n.language);
};

/** Debounces a value: returns it once it has not changed for `ms` milliseconds. */
export const useDebounced = <Value>(value: Value, ms: number): Value => {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
};
