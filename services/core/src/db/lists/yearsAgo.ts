import type { Database } from '../connection/database.ts';
import { listItemsOfDays } from './dayLists.ts';
import type { OwnItemPage, Page } from './mediaItemLists.ts';

/** A page of a user's visible items of one day, `0403`, of all years before this one, newest first. */
export const listYearsAgo = async (
  db: Database,
  userId: string,
  monthDate: string,
  now: Date,
  page: Page,
): Promise<OwnItemPage> => listItemsOfDays(db, userId, listDaysAgo(monthDate, now), page);

/** The years in which something may have been photographed begin with this one. */
const firstYear = 1800;

/**
 * That day in every year before the present one, newest first. What the present year is, depends on where one is: up to 14 hours ahead of
 * UTC it has begun already, and up to 12 hours behind it is still yesterday, which is not years ago.
 */
export const listDaysAgo = (monthDate: string, now: Date): string[] => {
  const latestYear = new Date(now.getTime() + 14 * hourMs).getUTCFullYear() - 1;
  const earliestToday = new Date(now.getTime() - 12 * hourMs).toISOString().slice(0, 10);
  const years = Array.from({ length: Math.max(0, latestYear - firstYear + 1) }, (_, back) => latestYear - back);
  return years.map((year) => `${year}-${dayOf(monthDate, year)}`).filter((day) => day < earliestToday);
};

const hourMs = 3_600_000;

/** 29 February is 28 February in a year that has none. */
const dayOf = (monthDate: string, year: number): string => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return monthDate === '0229' && !isLeap ? '02-28' : `${monthDate.slice(0, 2)}-${monthDate.slice(2)}`;
};
