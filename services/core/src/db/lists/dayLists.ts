import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { toPage, type CountedRow, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { prepared, unseen } from '../connection/preparedReads.ts';
import { isListedItemShared } from '../collections/sharedItems.ts';

const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * A page of a user's visible items of some days, newest first; a day is given by the time at which it begins. Costs a few reads of the kept counts
 * for each day, and the page.
 */
export const listItemsOfDays = async (
  db: Database,
  userId: string,
  days: readonly string[],
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const user = unseen(userId, 'uuid');
  const offset = 'number' in start ? (start.number - 1) * limit : 0;
  const after = 'after' in start ? start.after : { localTime: 'infinity', id: leastId };
  const isBehind = sql`(local_time, id) < (${unseen(after.localTime, 'timestamp')}, ${unseen(after.id, 'uuid')})`;
  const { rows } = await sql<CountedRow>`
    with days as (
      select asked_day.day, sum(n)::bigint as n
      -- Hidden from the planner, which else makes a new plan for the days of every page, and takes longer than to read it.
      from (select ${days}::date[] as days offset 0) as asked
      cross join lateral unnest(days) as asked_day (day)
      cross join lateral (
        select counts.days[extract(day from asked_day.day)] as n from counts
        where user_id = ${user} and list_id = ${user} and visibility = 'visible' and type is null and month = date_trunc('month', asked_day.day)::date
        union all
        select n from count_deltas
        where user_id = ${user} and list_id = ${user} and visibility = 'visible' and count_deltas.day = asked_day.day
      ) as kept
      group by 1 having sum(n) > 0
    ), total as (
      select coalesce(sum(n), 0)::bigint as total from days
    ), reached as (
      select day, n, sum(n) over (order by day desc) - n as newer
      from days where day <= ${unseen(after.localTime, 'timestamp')}
    ), page as (
      select found.id, local_time from reached
      cross join lateral (
        select id, local_time from media_items
        where user_id = ${user} and visibility = 'visible' and local_time >= day and local_time < day + interval '1 day' and ${isBehind}
        order by local_time desc, id desc limit ${sql.lit(limit)} offset greatest(0, ${offset}::bigint - newer)
      ) as found
      where ${'after' in start ? sql`true` : sql`newer < ${offset}::bigint + ${limit} and newer + n > ${offset}::bigint`}
      order by local_time desc, id desc limit ${sql.lit(limit)}
    )
    select item.*, ${isListedItemShared} as is_shared, total
    from total left join page on true left join media_items as item on item.id = page.id
    order by item.local_time desc, item.id desc`.execute(
    prepared(db, 'after' in start ? 'days_items_behind' : 'days_items'),
  );
  return toPage(rows);
};
