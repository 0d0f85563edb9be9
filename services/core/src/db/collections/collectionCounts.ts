import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connection/database.ts';
import { deletedAtOnce, deleteSome } from '../connection/deleteSome.ts';
import {
  divideHours,
  foldIntoCells,
  lockCells,
  usualCellSize,
  type CountedLists,
  type FullHour,
} from '../lists/hourCells.ts';
import type { LocalTime } from '../connection/schema.ts';

/** How many visible items a collection has. A sum of a few rows, whatever its size. */
export const countCollectionItems = async (db: Database, collectionId: string): Promise<number> => {
  const { rows } = await totalOfCollection(sql`${collectionId}::uuid`).execute(db);
  return rows[0]!.total;
};

/** The query behind `countCollectionItems`, of one row, for a statement that reads more. */
export const totalOfCollection = (id: RawBuilder<unknown>): RawBuilder<{ readonly total: number }> => sql`
  select coalesce(sum(n), 0)::bigint as total from (
    select n from collection_counts where collection_id = ${id} and grain = 'all'
    union all
    select n from collection_count_deltas where collection_id = ${id}
  ) as both_tables`;

/** Whether there is anything to fold. */
export const hasCollectionCountDeltas = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('collection_count_deltas').select('id').limit(1).executeTakeFirst()) !== undefined;

/** As `foldCounts`, for collections. */
export const foldCollectionCounts = async (trx: Database, limit: number, cellSize = usualCellSize): Promise<number> => {
  await lockCells(trx);
  const { rows } = await sql<{ n: number; full: FullHour[] | null }>`
    with moved as (
      delete from collection_count_deltas
      where id in (select id from collection_count_deltas order by id limit ${limit})
      returning *, collection_id as list_id, 'visible' as visibility, '' as type, '' as category, '' as status, false as is_favourite
    ), kept_collections as (
      -- Locked as their foreign key would do, but first: one that is being deleted meanwhile is waited for, and left out.
      select id from collections
      where id in (select collection_id from moved)
        and exists (select from users where users.id = collections.user_id and users.removing_at is null)
      order by id for key share
    ), sums as (
      select collection_id, grain, bucket, sum(n) as n
      from moved
      join kept_collections on kept_collections.id = moved.collection_id
      cross join lateral (values
        ('all', '-infinity'::timestamp), ('year', date_trunc('year', hour)), ('month', date_trunc('month', hour)),
        ('day', date_trunc('day', hour)), ('hour', hour)) as grains (grain, bucket)
      group by 1, 2, 3
    ), totals as (
      insert into collection_totals as kept (user_id, kind, collection_id, n)
      select user_id, kind, collection_id, n from sums join collections on id = collection_id where grain = 'all' and n <> 0
      order by 1, 2, 3
      on conflict (user_id, kind, collection_id) do update set n = kept.n + excluded.n
    ), folded as (
      insert into collection_counts as kept (collection_id, grain, bucket, n)
      select * from sums where n <> 0 order by collection_id, grain, bucket
      on conflict (collection_id, grain, bucket) do update set n = kept.n + excluded.n
      returning collection_id as list_id, grain, bucket as hour, n
    ), ${foldIntoCells(cellSize)}
    select (select count(*) from moved) as n, full_hours.list as full from full_hours`.execute(trx);
  await divideHours(trx, rows[0]?.full ?? [], collectionLists, cellSize);
  return rows[0]?.n ?? 0;
};

/** What makes the cells of collections: their visible items, which are all of one kind. */
export const collectionLists: CountedLists = {
  counts: sql.table('collection_counts'),
  deltas: sql.table('collection_count_deltas'),
  listColumn: sql.ref('collection_id'),
  items: sql`
    select collection_id as list_id, local_time, media_item_id as item_id, visibility, '' as type, '' as category, '' as status,
      false as is_favourite
    from collection_items where visibility = 'visible'`,
  kinds: sql`'visible' as visibility, '' as type, '' as category, '' as status, false as is_favourite`,
};

/** Removes some counts that have come to nothing, and totals of what is gone, and answers how many; fewer than `limit` where there are no more. */
export const deleteEmptyCollectionCounts = async (trx: Database, limit = deletedAtOnce): Promise<number> => {
  const counts = await deleteSome(trx, 'collection_counts', sql`n = 0`, limit);
  if (counts === limit) return limit;
  const isEmpty = sql`n = 0 or not exists (select from collections where id = collection_id)`;
  return counts + (await deleteSome(trx, 'collection_totals', isEmpty, limit - counts));
};

/** Sets right the totals of some collections that differ from the counts, and answers how many did: none, unless a version that knows of no totals has folded. */
export const mendCollectionTotals = async (trx: Database, collectionIds: readonly string[]): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into collection_totals as kept (user_id, kind, collection_id, n)
    select collections.user_id, collections.kind, id, coalesce(counted.n, 0) from collections
    left join collection_counts as counted on counted.collection_id = id and grain = 'all'
    left join collection_totals as known
      on (known.user_id, known.kind, known.collection_id) = (collections.user_id, collections.kind, id)
    where id = any(${collectionIds}::uuid[]) and coalesce(counted.n, 0) <> coalesce(known.n, 0)
    on conflict (user_id, kind, collection_id) do update set n = excluded.n`.execute(trx);
  return Number(numAffectedRows ?? 0);
};

/** An hour of a collection whose kept count differs from what a recount finds. */
export interface CollectionCountError {
  readonly collectionId: string;
  readonly hour: LocalTime;
  readonly kept: number;
  readonly found: number;
}

/** Items and collections that are looked at in one share. */
const shareSize = { items: 100_000, collections: 1_000 } as const;

/** The ids of a user's collections, in shares of so many items by their kept totals; one that has more is a share of its own. */
export const listCollectionsInShares = async (db: Database, userId: string): Promise<string[][]> => {
  const { rows } = await sql<{ id: string; n: number }>`
    select id, coalesce(totals.n, 0) as n from collections
    left join collection_totals as totals on (totals.user_id, totals.kind, totals.collection_id) = (collections.user_id, collections.kind, id)
    where collections.user_id = ${userId} order by id`.execute(db);
  const shares: string[][] = [];
  let items = Infinity;
  for (const { id, n } of rows) {
    if (items + n > shareSize.items || shares.at(-1)!.length === shareSize.collections) {
      shares.push([]);
      items = 0;
    }
    shares.at(-1)!.push(id);
    items += n;
  }
  return shares;
};

/** Recounts some collections by their items' own rows, and answers where the kept counts, or what is kept of the items, are wrong. */
export const findCollectionCountErrors = async (
  db: Database,
  collectionIds: readonly string[],
): Promise<CollectionCountError[]> => {
  const { rows } = await sql<CollectionCountError>`
    select coalesce(kept.collection_id, found.collection_id) as "collectionId", coalesce(kept.hour, found.hour) as hour,
      coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (
      select collection_id, hour, sum(n)::bigint as n from (
        select collection_id, bucket as hour, n from collection_counts
        where collection_id = any(${collectionIds}::uuid[]) and grain = 'hour'
        union all
        select collection_id, hour, n from collection_count_deltas where collection_id = any(${collectionIds}::uuid[])
      ) as both_tables group by 1, 2 having sum(n) <> 0
    ) as kept full join (
      select collection_id, date_trunc('hour', media_items.local_time) as hour, count(*) as n
      from collection_items join media_items on media_items.id = media_item_id
      where collection_id = any(${collectionIds}::uuid[]) and media_items.visibility = 'visible' group by 1, 2
    ) as found using (collection_id, hour)
    where kept.n is distinct from found.n
    order by 1, 2 limit 100`.execute(db);
  return rows;
};
