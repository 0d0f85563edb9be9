import { sql } from 'kysely';
import type { Database } from './database.ts';
import { listItemsOfDays } from './dayLists.ts';
import type { MediaItemPage, Page } from './mediaItemLists.ts';
import type { LocalTime } from './schema.ts';

/** By what a timeline counts. */
export type TimelineGrain = 'month' | 'day';

/** How many visible items were taken in a month or on a day. */
export interface TimelineCount {
  /** The time at which the month or day begins. */
  readonly begin: LocalTime;
  readonly count: number;
}

/** Every month or day in which a user's visible items were taken, the last one first. A sum of [Note: Kept counts]. */
export const getTimeline = async (db: Database, userId: string, grain: TimelineGrain): Promise<TimelineCount[]> => {
  const { rows } = await sql<TimelineCount>`
    select begin, sum(n)::bigint as count from (
      select bucket as begin, n from counts
      where user_id = ${userId} and grain = ${grain} and visibility = 'visible'
      union all
      select date_trunc(${grain}, hour), n from count_deltas where user_id = ${userId} and visibility = 'visible'
    ) as kept
    group by begin having sum(n) > 0 order by begin desc`.execute(db);
  return rows;
};

/** A page of a user's visible items of a month, `2022-04`, newest first. */
export const listItemsOfMonth = async (
  db: Database,
  userId: string,
  month: string,
  page: Page,
): Promise<MediaItemPage> => listItemsOfDays(db, userId, listDaysOf(month), page);

const listDaysOf = (month: string): LocalTime[] => {
  const days: LocalTime[] = [];
  for (let day = 1; day <= 31; day += 1) {
    const text = `${month}-${String(day).padStart(2, '0')}T00:00:00`;
    // `Date` takes the 31st of April for the first of May.
    if (new Date(`${text}Z`).getUTCDate() === day) days.push(text);
  }
  return days;
};
