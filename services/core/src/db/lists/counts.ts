import { sql, type RawBuilder } from 'kysely';
import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import type { Database } from '../connection/database.ts';
import { deletedAtOnce, deleteSome } from '../connection/deleteSome.ts';
import { divideHours, foldIntoCells, lockCells, usualCellSize, type CountedLists, type FullHour } from './hourCells.ts';
import type { LocalTime, Visibility } from '../connection/schema.ts';

/** Which of a user's items are meant; what is not named does not matter. */
export interface MediaItemFilter {
  readonly visibility: Visibility;
  readonly type?: MediaItemType | undefined;
  readonly category?: MediaItemCategory | undefined;
  readonly status?: MediaItemStatus | undefined;
  readonly isFavourite?: boolean | undefined;
}

/** How many items there are. A sum over a few rows of [Note: Kept counts], whatever the size of the library. */
export const countMediaItems = async (db: Database, userId: string, filter: MediaItemFilter): Promise<number> => {
  const { rows } = await totalOf(userId, filter).execute(db);
  return rows[0]?.total ?? 0;
};

/** The query behind `countMediaItems`, of one row, for a statement that reads the items too. */
export const totalOf = (userId: string, filter: MediaItemFilter): RawBuilder<{ readonly total: number }> => sql`
  select coalesce(sum(n), 0)::bigint as total from (
    select n from counts where grain = 'all' and ${matches(userId, filter)}
    union all
    select n from count_deltas where ${matches(userId, filter)}
  ) as kept`;

/** Whether there is anything to fold: asked first, since holding a lease is a write even when nothing follows. */
export const hasCountDeltas = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('count_deltas').select('id').limit(1).executeTakeFirst()) !== undefined;

/**
 * Moves up to `limit` deltas into the counts and answers how many it moved. Only one process at a time may do this (two
 * would wait for one another); readers see the same sums before, during and after. Full hours are divided into cells.
 */
export const foldCounts = async (trx: Database, limit: number, cellSize = usualCellSize): Promise<number> => {
  await lockCells(trx);
  const { rows } = await sql<{ n: number; full: FullHour[] | null }>`
    with moved as (
      delete from count_deltas where id in (select id from count_deltas order by id limit ${limit})
      returning *, user_id as list_id
    ), owners as (
      -- Locked as its foreign key would do, but first: a user who is being deleted meanwhile is waited for, and left out.
      select id from users where id in (select user_id from moved) and removing_at is null for key share
    ), sums as (
      select moved.user_id, grain, bucket, visibility, type, category, status, is_favourite, sum(n) as n
      from moved
      join owners on owners.id = moved.user_id
      cross join lateral (values
        ('all', '-infinity'::timestamp), ('year', date_trunc('year', hour)), ('month', date_trunc('month', hour)),
        ('day', date_trunc('day', hour)), ('hour', hour)) as grains (grain, bucket)
      group by 1, 2, 3, 4, 5, 6, 7, 8
    ), folded as (
      insert into counts as kept (user_id, grain, bucket, visibility, type, category, status, is_favourite, n)
      -- In order, so that what is read together lies together.
      select * from sums where n <> 0 order by user_id, grain, visibility, bucket
      on conflict (user_id, grain, visibility, bucket, type, category, status, is_favourite)
      do update set n = kept.n + excluded.n
      returning user_id as list_id, grain, bucket as hour, n
    ), ${foldIntoCells(cellSize)}
    select (select count(*) from moved) as n, full_hours.list as full from full_hours`.execute(trx);
  await divideHours(trx, rows[0]?.full ?? [], libraryLists, cellSize);
  return rows[0]?.n ?? 0;
};

/** What makes the cells of libraries; only these lists are jumped into. */
export const libraryLists: CountedLists = {
  counts: sql.table('counts'),
  deltas: sql.table('count_deltas'),
  listColumn: sql.ref('user_id'),
  items: sql`
    select user_id as list_id, local_time, id as item_id, visibility, type, category, status, is_favourite
    from media_items where visibility in ('visible', 'hidden', 'trash')`,
  kinds: sql`visibility, type, category, status, is_favourite`,
};

/** Removes some counts that have come to nothing, and answers how many; fewer than `limit` where there are no more. */
export const deleteEmptyCounts = async (trx: Database, limit = deletedAtOnce): Promise<number> => {
  const counts = await deleteSome(trx, 'counts', sql`n = 0`, limit);
  return counts === limit
    ? limit
    : counts + (await deleteSome(trx, 'timeline_months', sql`n = 0 and 0 = all (days)`, limit - counts));
};

/** Sets right the months of timelines that differ from the counts that they are sums of, and answers how many did: none, unless there is a fault in the triggers. */
export const mendTimeline = async (trx: Database, userId: string): Promise<number> => {
  const { numAffectedRows } = await sql`
    with known as (
      select * from timeline_months where user_id = ${userId}
    ), counted as (
      select user_id, date_trunc('month', bucket)::date as month, sum(n) as n,
        counts_by_day(extract(day from bucket)::integer, n) as days
      from counts where user_id = ${userId} and grain = 'day' and visibility = 'visible' group by 1, 2
    )
    insert into timeline_months as kept (user_id, month, n, days)
    select user_id, month, coalesce(counted.n, 0), coalesce(counted.days, array_fill(0, array[31]))
    from counted full join known using (user_id, month)
    where coalesce(counted.days, array_fill(0, array[31])) <> coalesce(known.days, array_fill(0, array[31]))
      or coalesce(counted.n, 0) <> coalesce(known.n, 0)
    order by 1, 2
    on conflict (user_id, month) do update set n = excluded.n, days = excluded.days`.execute(trx);
  return Number(numAffectedRows ?? 0);
};

/** A bucket whose kept count differs from what a recount finds. */
export interface CountError {
  readonly userId: string;
  readonly hour: LocalTime;
  readonly kept: number;
  readonly found: number;
}

/** A share of a library's items: of one visibility, and of those that are shown as one list, from one local time on and before another. */
export interface CountShare {
  readonly userId: string;
  readonly visibility: Visibility;
  readonly from: LocalTime;
  readonly before: LocalTime;
}

/** The shares of a library, which are all of it: by visibility, and where an index goes by time also by the years that are counted. */
export const listCountShares = async (db: Database, userId: string): Promise<CountShare[]> => {
  const { rows } = await sql<{ year: LocalTime }>`
    select distinct date_trunc('year', hour) as year from (
      select bucket as hour from counts where user_id = ${userId} and grain = 'year' and visibility = 'visible'
      union all
      select hour from count_deltas where user_id = ${userId} and visibility = 'visible'
    ) as both_tables order by 1`.execute(db);
  const bounds = ['-infinity', ...rows.map(({ year }) => year), 'infinity'];
  const ofYears = bounds
    .slice(1)
    .map((before, index) => ({ visibility: 'visible' as const, from: bounds[index]!, before }));
  const others = (['hidden', 'trash', 'paired'] as const).map((visibility) => ({
    visibility,
    from: '-infinity',
    before: 'infinity',
  }));
  return [...ofYears, ...others].map((share) => Object.assign({ userId }, share));
};

/** Recounts a share's items and answers where the kept counts are wrong: nowhere, unless there is a fault in the triggers. */
export const findCountErrors = async (
  db: Database,
  { userId, visibility, from, before }: CountShare,
): Promise<CountError[]> => {
  // Written out, so that the planner finds the index of this visibility.
  const shown = sql.lit(visibility);
  const { rows } = await sql<CountError>`
    select ${userId}::uuid as "userId", coalesce(kept.hour, found.hour) as hour,
      coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (
      select hour, type, category, status, is_favourite, sum(n)::bigint as n from (
        select bucket as hour, type, category, status, is_favourite, n from counts
        where user_id = ${userId} and grain = 'hour' and visibility = ${shown} and bucket >= ${from} and bucket < ${before}
        union all
        select hour, type, category, status, is_favourite, n from count_deltas
        where user_id = ${userId} and visibility = ${shown} and hour >= ${from} and hour < ${before}
      ) as both_tables group by 1, 2, 3, 4, 5 having sum(n) <> 0
    ) as kept full join (
      select date_trunc('hour', local_time) as hour, type, category, status, is_favourite, count(*) as n
      from media_items
      where user_id = ${userId} and visibility = ${shown} and local_time >= ${from} and local_time < ${before}
      group by 1, 2, 3, 4, 5
    ) as found using (hour, type, category, status, is_favourite)
    where kept.n is distinct from found.n
    order by 1, 2 limit 100`.execute(db);
  return rows;
};

const matches = (userId: string, filter: MediaItemFilter): RawBuilder<boolean> => sql`(
  user_id = ${userId} and visibility = ${filter.visibility}
  ${filter.type === undefined ? sql`` : sql`and type = ${filter.type}`}
  ${filter.category === undefined ? sql`` : sql`and category = ${filter.category}`}
  ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
  ${filter.isFavourite === undefined ? sql`` : sql`and is_favourite = ${filter.isFavourite}`})`;
