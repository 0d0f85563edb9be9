import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { firstId } from '@hearth/core/db/ids.ts';
import { getOffset } from '../../database/pages.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';
import { andIsAfter, toPage, type CountedRow, type OwnItemPage, type Page } from '../../lists/mediaItemLists.ts';

/**
 * Returns a page of a user's visible items of one day of the year (`0403`) in all earlier years, newest first. Costs a
 * few reads of stored counts per year, plus the page.
 */
export const listYearsAgo = async (
  db: Database,
  userId: string,
  monthDate: string,
  now: Date,
  page: Page,
): Promise<OwnItemPage> => {
  const days = listDaysAgo(monthDate, now);
  const { limit, start } = page;
  const user = hideFromPlanner(userId, 'uuid');
  const offset = getOffset(page);
  const after = 'after' in start ? start.after : { localTime: 'infinity', id: firstId };
  const { rows } = await sql<CountedRow>`
    with days as (
      select wanted_day.day, sum(n)::bigint as n
      -- Hides the days from the planner, which would otherwise plan every page again. That takes longer than reading the page.
      from (select ${days}::date[] as days offset 0) as wanted
      cross join lateral unnest(days) as wanted_day (day)
      cross join lateral (
        select counts.days[extract(day from wanted_day.day)] as n from counts
        where user_id = ${user} and list_id = ${user} and visibility = 'visible' and type is null and month = date_trunc('month', wanted_day.day)::date
        union all
        select n from count_deltas
        where user_id = ${user} and list_id = ${user} and visibility = 'visible' and count_deltas.day = wanted_day.day
      ) as stored_and_pending
      group by 1 having sum(n) > 0
    ), total as (
      select coalesce(sum(n), 0)::bigint as total from days
    ), reached as (
      select day, n, sum(n) over (order by day desc) - n as newer
      from days where day <= ${hideFromPlanner(after.localTime, 'timestamp')}
    ), page as (
      select found.id, local_time from reached
      cross join lateral (
        select id, local_time from media_items
        where user_id = ${user} and visibility = 'visible' and local_time >= day and local_time < day + interval '1 day' ${andIsAfter(after)}
        order by local_time desc, id desc limit ${sql.lit(limit)} offset greatest(0, ${offset}::bigint - newer)
      ) as found
      where ${'after' in start ? sql`true` : sql`newer < ${offset}::bigint + ${limit} and newer + n > ${offset}::bigint`}
      order by local_time desc, id desc limit ${sql.lit(limit)}
    )
    select item.*, ${isListedItemShared} as is_shared, total
    from total left join page on true left join media_items as item on item.id = page.id
    order by item.local_time desc, item.id desc`.execute(
    prepared(db, 'after' in start ? 'years_ago_behind' : 'years_ago', limit),
  );
  return toPage(rows);
};

/** First year of a possible photograph. */
const firstYear = 1800;

/**
 * Returns the dates of a day of the year (`0403`) in all earlier years, newest first. The user's time zone is unknown,
 * so the current year starts with the earliest zone (UTC+14). A date must also be before today in the latest zone
 * (UTC−12), so that no item of today appears.
 */
export const listDaysAgo = (monthDate: string, now: Date): string[] => {
  const latestYear = new Date(now.getTime() + 14 * hourMs).getUTCFullYear() - 1;
  const earliestToday = new Date(now.getTime() - 12 * hourMs).toISOString().slice(0, 10);
  const years = Array.from({ length: Math.max(0, latestYear - firstYear + 1) }, (_, back) => latestYear - back);
  return years.map((year) => `${year}-${getDayOfYear(monthDate, year)}`).filter((day) => day < earliestToday);
};

const hourMs = 3_600_000;

/** February 29 becomes February 28 in other years. */
const getDayOfYear = (monthDate: string, year: number): string => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return monthDate === '0229' && !isLeap ? '02-28' : `${monthDate.slice(0, 2)}-${monthDate.slice(2)}`;
};
