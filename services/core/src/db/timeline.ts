import { sql } from 'kysely';
import type { Database } from './database.ts';
import { toPage, type CountedRow, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { isListedItemShared } from './sharedItems.ts';

/** By what a timeline counts. */
export type TimelineGrain = 'month' | 'day';

/** How many visible items were taken in a month or on a day. */
export interface TimelineCount {
  /** The day, or the first one of the month: `2022-04-03`. */
  readonly begin: string;
  readonly count: number;
}

/** Every month or day in which a user's visible items were taken, the last one first. A sum of [Note: Kept counts]. */
export const getTimeline = async (db: Database, userId: string, grain: TimelineGrain): Promise<TimelineCount[]> => {
  // As two texts, since to read thousands of rows takes the driver longer than it takes the server to find them.
  const { rows } = await sql<{ begins: string | null; counts: string | null }>`
    with waiting as materialized (
      select date_trunc(${grain}, hour) as bucket, sum(n)::integer as n from count_deltas
      where user_id = ${userId} and visibility = 'visible' group by 1
    )
    select array_agg(begin)::text as begins, array_agg(n)::text as counts from (
      select bucket::date as begin, coalesce(kept.n, 0) + coalesce(waiting.n, 0) as n
      from (select bucket, n from timeline_counts where user_id = ${userId} and grain = ${grain}) as kept
      full join waiting using (bucket)
      order by bucket desc
    ) as both_tables
    where n > 0`.execute(db);
  const { begins, counts } = rows[0] ?? {};
  if (!begins || !counts) return [];
  const numbers = elementsOf(counts).map(Number);
  return elementsOf(begins).map((begin, index) => ({ begin, count: numbers[index]! }));
};

/** Of an array as PostgreSQL writes it, with elements that need no quotes. */
const elementsOf = (array: string): string[] => array.slice(1, -1).split(',');

/** A page of a user's visible items of a month, `2022-04`, newest first. */
export const listItemsOfMonth = async (
  db: Database,
  userId: string,
  month: string,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const begin = `${month}-01T00:00:00`;
  const offset = 'number' in start ? (start.number - 1) * limit : 0;
  const page = sql`
    select * from media_items
    where user_id = ${userId} and visibility = 'visible' and local_time >= ${begin}::timestamp`;
  const reached =
    'after' in start
      ? sql`
        ${page} and local_time < ${begin}::timestamp + interval '1 month'
          and (local_time, id) < (${start.after.localTime}::timestamp, ${start.after.id}::uuid)
        order by local_time desc, id desc limit ${sql.lit(limit)}`
      : sql`
        select item.*
        from find_page(${userId}, 'visible', null, null, null, ${offset}, null, ${begin}::timestamp, 'month') as jump
        cross join lateral (
          ${page} and (local_time, id) < (jump.before, jump.before_id)
          order by local_time desc, id desc limit ${sql.lit(limit)} offset jump.skip
        ) as item`;
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, kept.total from (
      select coalesce(sum(n), 0)::bigint as total from (
        select n from timeline_counts where user_id = ${userId} and grain = 'month' and bucket = ${begin}::timestamp
        union all
        select n from count_deltas
        where user_id = ${userId} and visibility = 'visible'
          and hour >= ${begin}::timestamp and hour < ${begin}::timestamp + interval '1 month'
      ) as both_tables
    ) as kept
    left join (${reached}) as item on true
    order by item.local_time desc, item.id desc`.execute(db);
  return toPage(rows);
};
