import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useEffect, useState } from 'react';
import { matchesQuery, toMatches, type Match } from './matches.ts';

/** Typing pause before suggestions are requested, in ms. */
const restMs = 150;

/**
 * Returns suggestions for the typed text. Cancels outdated requests, and keeps the previous suggestions while new ones
 * load.
 */
export const useMatches = (typed: string): readonly Match[] => {
  const { i18n } = useTranslation();
  const text = typed.trim();
  const { data } = useQuery({ ...matchesQuery(useRested(text, restMs)), placeholderData: keepPreviousData });
  return text === '' || data === undefined ? [] : toMatches(data, i18n.language);
};

/** Debounces a value: returns it once it has not changed for `ms` milliseconds. */
export const useRested = <Value>(value: Value, ms: number): Value => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
};
