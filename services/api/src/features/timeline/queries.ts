import { maxWholeMonthItems } from '@hearth/contract/limits.ts';
import type { TimelineCount, timelineGranularities } from '@hearth/contract/timeline.ts';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { listCountedItems, type OwnItemPage, type Page } from '../../lists/mediaItemLists.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';

/**
 * Returns all months or days with visible items of a user, latest first. `section` means months, split into days above
 * `maxWholeMonthItems`. Sums up the stored counts, see [Note: Kept counts].
 */
export const getTimeline = async (
  db: Database,
  userId: string,
  by: (typeof timelineGranularities)[number],
): Promise<TimelineCount[]> => {
  const granularity = by === 'month' ? 'month' : 'day';
  const [size, counts] = granularity === 'day' ? [maxDays, sql`days`] : [1, sql`array[n]`];
  // Selects arrays: creating thousands of objects in the driver takes longer than finding the rows.
  const { rows } = await sql<FoundTimeline>`
    select stored.*, pending.*
    from (
      select json_agg(month) as months, json_agg(${counts}) as counts from counts
      where user_id = ${userId} and list_id = ${userId} and visibility = 'visible' and type is null
    ) as stored
    cross join (
      select json_agg(begin) as "changedOn", json_agg(n) as changes from (
        select date_trunc(${granularity}, day)::date as begin, sum(n)::integer as n from count_deltas
        where user_id = ${userId} and list_id = ${userId} and visibility = 'visible' group by 1
      ) as begins
    ) as pending`.execute(prepared(db, `timeline_${granularity}s`));
  const found = rows[0]!;
  const months = new Map(found.months?.map((begin, nth) => [getMonth(begin), found.counts![nth]!]));
  for (const [nth, begin] of (found.changedOn ?? []).entries()) {
    const month = getMonth(begin);
    const monthCounts = months.get(month) ?? Array.from({ length: size }, () => 0);
    // The first day stands for the month.
    monthCounts[Number(begin.slice(-2)) - 1]! += found.changes![nth]!;
    months.set(month, monthCounts);
  }
  const sorted = [...months].toSorted(([one], [other]) => (one < other ? 1 : -1));
  return sorted.flatMap(([month, monthCounts]) => {
    const sum = monthCounts.reduce((total, count) => total + count, 0);
    const listed =
      by === 'day' || (by === 'section' && sum > maxWholeMonthItems)
        ? toDays(month, monthCounts)
        : [{ date: month, count: sum }];
    return listed.filter(({ count }) => count > 0);
  });
};

/** Returns the days of a month, latest first. */
const toDays = (month: string, counts: readonly number[]): TimelineCount[] =>
  counts.map((count, index) => ({ date: `${month}-${dayNames[index]}`, count })).toReversed();

const maxDays = 31;

const dayNames = Array.from({ length: maxDays }, (_, index) => String(index + 1).padStart(2, '0'));

const getMonth = (date: string): string => date.slice(0, -3);

/** Stored counts and pending deltas as columns. Null without rows. */
interface FoundTimeline {
  /** First day of each month with stored counts. */
  readonly months: string[] | null;
  /** Counts of each of `months`: one per day, or a single count of the month. */
  readonly counts: number[][] | null;
  /** Days with pending deltas, or the first days of such months. */
  readonly changedOn: string[] | null;
  /** Sum of the pending deltas for each of `changedOn`. */
  readonly changes: number[] | null;
}

/** Returns a page of a user's visible items of a month (`2022-04`), newest first. */
export const listItemsOfMonth = async (
  db: Database,
  userId: string,
  month: string,
  page: Page,
): Promise<OwnItemPage> => {
  const user = hideFromPlanner(userId, 'uuid');
  const begin = hideFromPlanner(`${month}-01`, 'date');
  const items = sql`
    media_items where user_id = ${user} and visibility = 'visible' and local_time >= ${begin} and local_time < ${begin} + interval '1 month'`;
  const list = { userId: user, listId: user, filter: { visibility: 'visible' }, month: begin } as const;
  return listCountedItems(db, list, { name: 'month_items', items, id: sql.ref('id') }, page);
};
