import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { LocalTime } from './schema.ts';

/** How many visible items collections have, by their ids: 0 where one is not named. Sums of a few rows, whatever their size. */
export const countCollectionItems = async (
  db: Database,
  collectionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ id: string; n: number }>`
    select collection_id as id, sum(n)::bigint as n from (
      select collection_id, n from collection_counts
      where collection_id = any(${collectionIds}::uuid[]) and grain = 'all'
      union all
      select collection_id, n from collection_count_deltas where collection_id = any(${collectionIds}::uuid[])
    ) as kept group by 1`.execute(db);
  return new Map(rows.map(({ id, n }) => [id, n]));
};

/** Whether there is anything to fold. */
export const hasCollectionCountDeltas = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('collection_count_deltas').select('id').limit(1).executeTakeFirst()) !== undefined;

/** As `foldCounts`, for collections. */
export const foldCollectionCounts = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from collection_count_deltas
      where id in (select id from collection_count_deltas order by id limit ${limit}) returning *
    ), kept_collections as (
      -- Locked as their foreign key would do, but first: one that is being deleted meanwhile is waited for, and left out.
      select id from collections where id in (select collection_id from moved) order by id for key share
    ), sums as (
      select collection_id, grain, bucket, sum(n) as n
      from moved
      join kept_collections on kept_collections.id = moved.collection_id
      cross join lateral (values
        ('all', '-infinity'::timestamp), ('year', date_trunc('year', hour)), ('month', date_trunc('month', hour)),
        ('day', date_trunc('day', hour)), ('hour', hour)) as grains (grain, bucket)
      group by 1, 2, 3
    ), folded as (
      insert into collection_counts as kept (collection_id, grain, bucket, n)
      select * from sums where n <> 0 order by collection_id, grain, bucket
      on conflict (collection_id, grain, bucket) do update set n = kept.n + excluded.n
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};

/** Removes counts that have come to nothing. */
export const deleteEmptyCollectionCounts = async (trx: Database): Promise<void> => {
  await trx.deleteFrom('collection_counts').where('n', '=', 0).execute();
};

/** An hour of a collection whose kept count differs from what a recount finds. */
export interface CollectionCountError {
  readonly collectionId: string;
  readonly hour: LocalTime;
  readonly kept: number;
  readonly found: number;
}

/** Recounts every collection by its items' own rows, and answers where the kept counts, or what is kept of the items, are wrong. */
export const findCollectionCountErrors = async (db: Database): Promise<CollectionCountError[]> => {
  const { rows } = await sql<CollectionCountError>`
    select coalesce(kept.collection_id, found.collection_id) as "collectionId", coalesce(kept.hour, found.hour) as hour,
      coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (
      select collection_id, hour, sum(n)::bigint as n from (
        select collection_id, bucket as hour, n from collection_counts where grain = 'hour'
        union all
        select collection_id, hour, n from collection_count_deltas
        where collection_id in (select id from collections) -- what is left of a deleted one goes with the next fold
      ) as both_tables group by 1, 2 having sum(n) <> 0
    ) as kept full join (
      select collection_id, date_trunc('hour', media_items.local_time) as hour, count(*) as n
      from collection_items join media_items on media_items.id = media_item_id
      where media_items.visibility = 'visible' group by 1, 2
    ) as found using (collection_id, hour)
    where kept.n is distinct from found.n
    order by 1, 2 limit 100`.execute(db);
  return rows;
};
