import { useQuery } from '@tanstack/react-query';
import { monthsQuery } from './queries.ts';

const none: readonly string[] = [];

/** The months of the timeline, the last one first; none until they are loaded. */
export const useMonthNames = (): readonly string[] =>
  useQuery({ ...monthsQuery, select: (months) => months.map(({ date }) => date) }).data ?? none;
