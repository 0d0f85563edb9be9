import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { toPage, type CountedRow, type OwnItemPage, type Page } from './mediaItemLists.ts';
import { unseen } from '../connection/preparedReads.ts';
import { isListedItemShared } from '../collections/sharedItems.ts';

/** By what a timeline counts. */
export type TimelineGrain = 'month' | 'day';

/** How many visible items were taken in a month, `2022-04`, or on a day, `2022-04-03`. */
export interface TimelineCount {
  readonly date: string;
  readonly count: number;
}

/** Every month or day in which a user's visible items were taken, the last one first. A sum of [Note: Kept counts]. */
export const getTimeline = async (db: Database, userId: string, grain: TimelineGrain): Promise<TimelineCount[]> => {
  const [size, counts] = grain === 'day' ? [maxDays, sql`days`] : [1, sql`array[n]`];
  // As lists, since to make thousands of objects of rows takes the driver longer than it takes the server to find them.
  const { rows } = await sql<FoundTimeline>`
    select kept.*, waiting.*
    from (
      select json_agg(month) as months, json_agg(${counts}) as counts from timeline_months where user_id = ${userId}
    ) as kept
    cross join (
      select json_agg(begin) as "changedOn", json_agg(n) as changes from (
        select date_trunc(${grain}, hour)::date as begin, sum(n)::integer as n from count_deltas
        where user_id = ${userId} and visibility = 'visible' group by 1
      ) as begins
    ) as waiting`.execute(db);
  const found = rows[0]!;
  const months = new Map(found.months?.map((begin, nth) => [monthOf(begin), found.counts![nth]!]));
  for (const [nth, begin] of (found.changedOn ?? []).entries()) {
    const month = monthOf(begin);
    const kept = months.get(month) ?? Array.from({ length: size }, () => 0);
    // The first day of a month stands for it.
    kept[Number(begin.slice(-2)) - 1]! += found.changes![nth]!;
    months.set(month, kept);
  }
  const sorted = [...months].toSorted(([one], [other]) => (one < other ? 1 : -1));
  const listed: TimelineCount[] = [];
  for (const [month, kept] of sorted) {
    for (let index = size - 1; index >= 0; index--) {
      const count = kept[index]!;
      if (count > 0) listed.push({ date: grain === 'day' ? `${month}-${dayNames[index]}` : month, count });
    }
  }
  return listed;
};

const maxDays = 31;

const dayNames = Array.from({ length: maxDays }, (_, index) => String(index + 1).padStart(2, '0'));

/** Of a date: `2022-04`. */
const monthOf = (date: string): string => date.slice(0, -3);

/** Dates of first days, each with its counts, and what waits to be added to them; null where there is none. */
interface FoundTimeline {
  readonly months: string[] | null;
  readonly counts: number[][] | null;
  readonly changedOn: string[] | null;
  readonly changes: number[] | null;
}

/** A page of a user's visible items of a month, `2022-04`, newest first. */
export const listItemsOfMonth = async (
  db: Database,
  userId: string,
  month: string,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const begin = `${month}-01T00:00:00`;
  const [user, from] = [unseen(userId, 'uuid'), unseen(begin, 'timestamp')];
  const offset = 'number' in start ? (start.number - 1) * limit : 0;
  const inMonth = sql`
    from media_items where user_id = ${user} and visibility = 'visible' and local_time >= ${from}`;
  const reached =
    'after' in start
      ? sql`
        select * ${inMonth} and local_time < ${from} + interval '1 month'
          and (local_time, id) < (${unseen(start.after.localTime, 'timestamp')}, ${unseen(start.after.id, 'uuid')})
        order by local_time desc, id desc limit ${sql.lit(limit)}`
      : sql`
        select item.*
        from find_page(${userId}, 'visible', null, null, null, ${offset}, null, ${begin}::timestamp, 'month') as jump
        cross join lateral (
          select id ${inMonth} and (local_time, id) < (jump.before, jump.before_id)
          order by local_time desc, id desc limit ${sql.lit(limit)} offset jump.skip
        ) as page
        join media_items as item on item.id = page.id`;
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, kept.total from (
      select coalesce(sum(n), 0)::bigint as total from (
        select n from timeline_months where user_id = ${user} and month = ${from}::date
        union all
        select n from count_deltas
        where user_id = ${user} and visibility = 'visible' and hour >= ${from} and hour < ${from} + interval '1 month'
      ) as both_tables
    ) as kept
    left join (${reached}) as item on true
    order by item.local_time desc, item.id desc`.execute(db);
  return toPage(rows);
};
