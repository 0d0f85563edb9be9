import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { Visibility } from '@hearth/core/db/schema.ts';

/** A wrong stored count. */
export interface CountError {
  readonly listId: string;
  /** The day, the first day of the month, or `-infinity` for the total of a collection. */
  readonly day: string;
  readonly kept: number;
  readonly found: number;
}

/** Part of a library that one statement recounts: items of one visibility in [from, before). */
export interface RecountBatch {
  readonly userId: string;
  readonly visibility: Visibility;
  readonly from: string;
  readonly before: string;
}

/**
 * Splits a library into batches: one per year for visible items, which have an index by time, and one for each other
 * visibility.
 */
export const listRecountBatches = async (db: Database, userId: string): Promise<RecountBatch[]> => {
  const { rows } = await sql<{ year: string }>`
    select distinct date_trunc('year', day)::date::text as year from (
      select month as day from counts where user_id = ${userId} and list_id = ${userId} and visibility = 'visible'
      union all
      select day from count_deltas where user_id = ${userId} and list_id = ${userId} and visibility = 'visible'
    ) as both_tables order by 1`.execute(db);
  const bounds = ['-infinity', ...rows.map(({ year }) => year), 'infinity'];
  const toBatch = (visibility: Visibility, from: string, before: string) => ({ userId, visibility, from, before });
  return [
    ...bounds.slice(1).map((before, index) => toBatch('visible', bounds[index]!, before)),
    ...(['hidden', 'trash', 'paired'] as const).map((visibility) => toBatch(visibility, '-infinity', 'infinity')),
  ];
};

/** Recounts the items of a batch and returns wrong counts. Only a bug in the triggers can cause any. */
export const findCountErrors = async (
  db: Database,
  { userId, visibility, from, before }: RecountBatch,
): Promise<CountError[]> => {
  // A literal, so that the planner finds the index of this visibility.
  const isOfList = sql`user_id = ${userId} and visibility = ${sql.lit(visibility)}`;
  const kinds = sql`type, category, status, is_favourite`;
  const allAndByKind = sql`grouping sets ((1), (1, 2, 3, 4, 5))`;
  const { rows } = await sql<CountError>`
    select ${userId}::uuid as "listId", day::text, sum(kept)::bigint as kept, sum(found)::bigint as found from (
      select month + nth::integer - 1 as day, ${kinds}, of_day as kept, 0 as found
      from counts cross join unnest(days) with ordinality as each_day (of_day, nth)
      where ${isOfList} and list_id = ${userId} and month >= ${from} and month < ${before}
      union all
      -- The count of a month must equal the sum of its days.
      select month, ${kinds}, n - (select sum(of_day) from unnest(days) as of_day), 0
      from counts where ${isOfList} and list_id = ${userId} and month >= ${from} and month < ${before}
      union all
      select day, ${kinds}, sum(n), 0 from count_deltas
      where ${isOfList} and list_id = ${userId} and day >= ${from} and day < ${before} group by ${allAndByKind}
      union all
      select local_time::date, ${kinds}, 0, count(*) from media_items
      where ${isOfList} and local_time >= ${from} and local_time < ${before} group by ${allAndByKind}
    ) as both_sides
    group by day, ${kinds} having sum(kept) <> sum(found) order by day limit 100`.execute(db);
  return rows;
};

const batchSize = { items: 100_000, collections: 1_000 } as const;

/**
 * Splits a user's collections into batches of at most `batchSize`, by their stored counts. A larger collection gets its
 * own batch.
 */
export const listCollectionBatches = async (db: Database, userId: string): Promise<string[][]> => {
  const rows = await db
    .selectFrom('collections')
    .select(['id', 'item_count'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const batches: string[][] = [];
  let items = Infinity;
  for (const { id, item_count: n } of rows) {
    if (items + n > batchSize.items || batches.at(-1)!.length === batchSize.collections) {
      batches.push([]);
      items = 0;
    }
    batches.at(-1)!.push(id);
    items += n;
  }
  return batches;
};

/** Recounts a user's collections from the items' own rows. Returns wrong stored counts. */
export const findCollectionCountErrors = async (
  db: Database,
  userId: string,
  collectionIds: readonly string[],
): Promise<CountError[]> => {
  const isOfLists = sql`user_id = ${userId} and list_id = any(${collectionIds}::uuid[])`;
  const { rows } = await sql<CountError>`
    select list_id as "listId", day::text, sum(kept)::bigint as kept, sum(found)::bigint as found from (
      select list_id, month as day, n as kept, 0 as found from counts where ${isOfLists}
      union all
      select list_id, day, n, 0 from count_deltas where ${isOfLists}
      union all
      select collection_id, date_trunc('month', media_items.local_time)::date, 0, 1
      from collection_items join media_items on media_items.id = media_item_id
      where collection_id = any(${collectionIds}::uuid[]) and media_items.visibility = 'visible'
      union all
      -- The count of a collection must equal the sum of its months.
      select id, '-infinity', item_count, 0 from collections where id = any(${collectionIds}::uuid[])
      union all
      select list_id, '-infinity', 0, n from counts where ${isOfLists}
    ) as both_sides
    group by 1, 2 having sum(kept) <> sum(found) order by 1, 2 limit 100`.execute(db);
  return rows;
};
