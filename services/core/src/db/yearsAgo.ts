import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { MediaItemPage, Page } from './mediaItemLists.ts';
import type { LocalTime, MediaItemRow } from './schema.ts';

/**
 * A page of a user's visible items of one day, `0403`, of all years before this one, newest first. Costs a few reads of the
 * kept counts for each year, and the page.
 */
export const listYearsAgo = async (
  db: Database,
  userId: string,
  monthDate: string,
  now: Date,
  { limit, start }: Page,
): Promise<MediaItemPage> => {
  const days = listDaysAgo(monthDate, now);
  const offset = 'number' in start ? (start.number - 1) * limit : 0;
  const after = 'after' in start ? start.after : { localTime: 'infinity', id: '00000000-0000-0000-0000-000000000000' };
  const { rows } = await sql<(MediaItemRow & { total: number }) | { id: null; total: number }>`
    with days as (
      select day, sum(n)::bigint as n
      from unnest(${days}::timestamp[]) as day
      cross join lateral (
        select n from counts
        where user_id = ${userId} and grain = 'day' and visibility = 'visible' and bucket = day
        union all
        select n from count_deltas
        where user_id = ${userId} and visibility = 'visible' and hour >= day and hour < day + interval '1 day'
      ) as kept
      group by day having sum(n) > 0
    ), total as (
      select coalesce(sum(n), 0)::bigint as total from days
    ), reached as (
      select day, n, sum(n) over (order by day desc) - n as before
      from days where day <= ${after.localTime}::timestamp
    ), page as (
      select item.* from reached
      cross join lateral (
        select * from media_items
        where user_id = ${userId} and visibility = 'visible' and local_time >= day and local_time < day + interval '1 day'
          and (local_time, id) < (${after.localTime}::timestamp, ${after.id}::uuid)
        order by local_time desc, id desc
        limit ${limit} offset greatest(0, ${offset}::bigint - before)
      ) as item
      where before < ${offset}::bigint + ${limit} and before + n > ${offset}::bigint or ${'after' in start}
      order by local_time desc, id desc limit ${limit}
    )
    select page.*, total from total left join page on true
    order by local_time desc, id desc`.execute(db);
  const items = rows.flatMap((row) => {
    const { total: _, ...item } = row;
    return item.id === null ? [] : [item];
  });
  return { items, totalCount: rows[0]?.total ?? 0 };
};

/** The years in which something may have been photographed begin with this one. */
const firstYear = 1800;

/**
 * That day in every year before the present one, newest first. What the present year is, depends on where one is: up to 14 hours ahead of
 * UTC it has begun already, and up to 12 hours behind it is still yesterday, which is not years ago.
 */
export const listDaysAgo = (monthDate: string, now: Date): LocalTime[] => {
  const latestYear = new Date(now.getTime() + 14 * hourMs).getUTCFullYear() - 1;
  const earliestToday = new Date(now.getTime() - 12 * hourMs).toISOString().slice(0, 10);
  const years = Array.from({ length: Math.max(0, latestYear - firstYear + 1) }, (_, back) => latestYear - back);
  return years
    .map((year) => `${year}-${dayOf(monthDate, year)}`)
    .filter((day) => day < earliestToday)
    .map((day) => `${day}T00:00:00`);
};

const hourMs = 3_600_000;

/** 29 February is 28 February in a year that has none. */
const dayOf = (monthDate: string, year: number): string => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return monthDate === '0229' && !isLeap ? '02-28' : `${monthDate.slice(0, 2)}-${monthDate.slice(2)}`;
};
