import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { toPage, type CountedRow, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { unseen } from '../connection/preparedReads.ts';
import type { LocalTime } from '../connection/schema.ts';
import { isListedItemShared } from '../collections/sharedItems.ts';

const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * A page of a user's visible items of some days, newest first; each day by the time at which it begins. Costs a few reads of the kept counts
 * for each day, and the page.
 */
export const listItemsOfDays = async (
  db: Database,
  userId: string,
  days: readonly LocalTime[],
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const user = unseen(userId, 'uuid');
  const offset = 'number' in start ? (start.number - 1) * limit : 0;
  const after = 'after' in start ? start.after : { localTime: 'infinity', id: leastId };
  const page =
    'after' in start
      ? sql`
        select * from media_items
        where user_id = ${user} and visibility = 'visible' and local_time >= day and local_time < day + interval '1 day'
          and (local_time, id) < (${unseen(after.localTime, 'timestamp')}, ${unseen(after.id, 'uuid')})
        order by local_time desc, id desc limit ${sql.lit(limit)}`
      : sql`
        select item.*
        from find_page(${userId}, 'visible', null, null, null, greatest(0, ${offset}::bigint - newer)::bigint, null, day, 'day') as jump
        cross join lateral (
          select id from media_items
          where user_id = ${user} and visibility = 'visible' and local_time >= day
            and (local_time, id) < (jump.before, jump.before_id)
          order by local_time desc, id desc limit ${sql.lit(limit)} offset jump.skip
        ) as page
        join media_items as item on item.id = page.id`;
  const { rows } = await sql<CountedRow>`
    with days as (
      select day, sum(n)::bigint as n
      -- Hidden from the planner, which else makes a new plan for the days of every page, and takes longer than to read it.
      from (select ${days}::timestamp[] as days offset 0) as asked
      cross join lateral unnest(days) as day
      cross join lateral (
        select days[extract(day from day)::integer] as n from timeline_months
        where user_id = ${user} and month = date_trunc('month', day)::date
        union all
        select n from count_deltas
        where user_id = ${user} and visibility = 'visible' and hour >= day and hour < day + interval '1 day'
      ) as kept
      group by day having sum(n) > 0
    ), total as (
      select coalesce(sum(n), 0)::bigint as total from days
    ), reached as (
      select day, n, sum(n) over (order by day desc) - n as newer
      from days where day <= ${unseen(after.localTime, 'timestamp')}
    ), page as (
      select item.* from reached
      cross join lateral (${page}) as item
      where ${'after' in start ? sql`true` : sql`newer < ${offset}::bigint + ${limit} and newer + n > ${offset}::bigint`}
      order by local_time desc, id desc limit ${sql.lit(limit)}
    )
    select item.*, ${isListedItemShared} as is_shared, total from total left join page as item on true
    order by local_time desc, id desc`.execute(db);
  return toPage(rows);
};
