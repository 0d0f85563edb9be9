import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { MediaItemPage, Page } from './mediaItemLists.ts';
import type { LocalTime, MediaItemRow } from './schema.ts';

/**
 * A page of a user's visible items of some days, newest first; each day by the time at which it begins. Costs a few reads of the kept counts
 * for each day, and the page.
 */
export const listItemsOfDays = async (
  db: Database,
  userId: string,
  days: readonly LocalTime[],
  { limit, start }: Page,
): Promise<MediaItemPage> => {
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
