import { sql, type RawBuilder } from 'kysely';
import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { deleteBatchSize, deleteBatch } from '../database/deleteBatch.ts';
import type { Visibility } from '@hearth/core/db/schema.ts';

/** Filter for a user's items. Omitted fields match any value. */
export interface MediaItemFilter {
  readonly visibility: Visibility;
  readonly type?: MediaItemType | undefined;
  readonly category?: MediaItemCategory | undefined;
  readonly status?: MediaItemStatus | undefined;
  readonly isFavourite?: boolean | undefined;
}

/** A list with stored counts, see [Note: Kept counts]. */
export interface CountedList {
  readonly userId: RawBuilder<string>;
  /** The user's id for the library, or the id of one of the user's collections. */
  readonly listId: RawBuilder<string>;
  readonly filter: MediaItemFilter;
  /** First day of a month, to count only this month. */
  readonly month?: RawBuilder<unknown>;
}

/** Builds a one-row query for the length of a list, to embed in the query of its items. Sums a few rows per month. */
export const selectTotal = ({ userId, listId, filter, month }: CountedList): RawBuilder<{ readonly total: number }> => {
  const { visibility: _, ...kind } = filter;
  const hasKind = Object.values(kind).some((value) => value !== undefined);
  const isCounted = sql`user_id = ${userId} and list_id = ${listId} and ${matchesFilter(filter)}`;
  return sql`
    select coalesce(sum(n), 0)::bigint as total from (
      select n from counts where ${isCounted}
        ${hasKind ? sql`` : sql`and type is null`} ${month === undefined ? sql`` : sql`and month = ${month}`}
      union all
      select n from count_deltas where ${isCounted}
        ${month === undefined ? sql`` : sql`and day >= ${month} and day < ${month} + interval '1 month'`}
    ) as both_tables`;
};

/**
 * Builds a one-row query for the length of a list and, if longer than `offset`, the place to read the next item from,
 * see `find_page`.
 */
export const findPage = (
  { userId, listId, filter, month }: CountedList,
  offset: number,
): RawBuilder<{ readonly total: number }> => {
  const { visibility, type = null, category = null, status = null, isFavourite = null } = filter;
  const months =
    month === undefined ? sql`'-infinity', 'infinity'` : sql`${month}, (${month} + interval '1 month')::date`;
  return sql`
    select * from find_page(${userId}, ${listId}, ${visibility}, ${type}, ${category}, ${status}, ${isFavourite}, ${months}, ${offset})`;
};

/**
 * Builds the condition for the items of a filter. Values are literals, so that the planner can choose a partial index,
 * even in a prepared statement.
 */
export const matchesFilter = ({
  visibility,
  type,
  category,
  status,
  isFavourite,
}: MediaItemFilter): RawBuilder<boolean> => sql`(
  visibility = ${sql.lit(visibility)}
  ${type === undefined ? sql`` : sql`and type = ${sql.lit(type)}`}
  ${category === undefined ? sql`` : sql`and category = ${sql.lit(category)}`}
  ${status === undefined ? sql`` : sql`and status = ${sql.lit(status)}`}
  ${isFavourite === undefined ? sql`` : sql`and is_favourite = ${sql.lit(isFavourite)}`})`;

/**
 * Returns the name of a prepared statement with this filter. Its values are part of the statement, so they are part of
 * the name.
 */
export const getStatementName = (
  list: string,
  { visibility, type, category, status, isFavourite }: MediaItemFilter,
): string => [list, visibility, type, category, status, isFavourite].filter((part) => part !== undefined).join('_');

/** Returns true if the table has deltas to roll up. Call it before a transaction under the lease, which is a write. */
export const hasDeltas = async (
  db: Database,
  table: 'count_deltas' | 'map_deltas' | 'user_storage_deltas',
): Promise<boolean> => (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) !== undefined;

/**
 * Moves up to `limit` deltas into the counts and returns their number. Only one process at a time may do this, because
 * two would deadlock. Readers see the same sums before, during and after.
 */
export const rollUpCounts = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from count_deltas
      where ctid = any(array(select ctid from count_deltas order by user_id, list_id, id limit ${limit}))
      returning *, date_trunc('month', day)::date as month
    ), owners as (
      -- Takes the foreign key's lock early: waits for a concurrent deletion of the user, then skips the user.
      select id from users where id in (select user_id from moved) and removing_at is null order by id for key share
    ), kept_collections as (
      -- Locked in the order of ids, and before their counts, because deleting a collection deletes its counts.
      select id from collections where id in (select list_id from moved) order by id for no key update
    ), sums as (
      select user_id, list_id, visibility, month, type, category, status, is_favourite, sum(n) as n,
        case when list_id = user_id then counts_by_day(day, n) filter (where list_id = user_id) end as days
      from moved
      where user_id in (select id from owners) and (list_id = user_id or list_id in (select id from kept_collections))
      group by user_id, list_id, visibility, month, grouping sets ((), (type, category, status, is_favourite))
      having grouping(type) = 1 or list_id = user_id
    ), totals as (
      update collections set item_count = item_count + changed.n
      from (select list_id, sum(n) as n from sums group by 1) as changed where id = list_id and changed.n <> 0
    ), rolled_up as (
      insert into counts as kept (user_id, list_id, visibility, month, type, category, status, is_favourite, n, days)
      -- Inserted in index order, so that rows read together are stored together.
      select * from sums where n <> 0 or 0 <> any(days)
      order by user_id, list_id, visibility, type, category, status, is_favourite, month
      on conflict (user_id, list_id, visibility, month, type, category, status, is_favourite)
      do update set n = kept.n + excluded.n, days = add_days(kept.days, excluded.days)
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};

/** Deletes counts of zero and returns their number, which is less than `limit` if none is left. */
export const deleteEmptyCounts = async (trx: Database, limit = deleteBatchSize): Promise<number> =>
  deleteBatch(trx, 'counts', sql`n = 0 and (days is null or 0 = all (days))`, limit);
