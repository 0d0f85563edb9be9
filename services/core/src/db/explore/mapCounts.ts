import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { deletedAtOnce, deleteSome } from '../connection/deleteSome.ts';
import { finestLevel } from './mapCells.ts';

/** Whether there is anything to fold. */
export const hasMapDeltas = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('map_deltas').select('id').limit(1).executeTakeFirst()) !== undefined;

/** As `foldCounts`, for the cells of maps. */
export const foldMapCounts = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with moved as (
      delete from map_deltas where id in (select id from map_deltas order by id limit ${limit}) returning *
    ), owners as (
      -- Locked as its foreign key would do, but first: a user who is being deleted meanwhile is waited for, and left out.
      select id from users where id in (select user_id from moved) and removing_at is null order by id for key share
    ), sums as (
      select moved.user_id, level, cell >> (2 * (${sql.lit(finestLevel)} - level)) as cell,
        sum(n) as n, sum(latitude_e7) as latitude_e7, sum(longitude_e7) as longitude_e7
      from moved
      join owners on owners.id = moved.user_id
      cross join generate_series(2, ${sql.lit(finestLevel)}, 2) as level
      group by 1, 2, 3
    ), folded as (
      insert into map_cells as kept (user_id, level, cell, n, latitude_e7, longitude_e7)
      select * from sums where n <> 0 or latitude_e7 <> 0 or longitude_e7 <> 0 order by user_id, level, cell
      on conflict (user_id, level, cell) do update set n = kept.n + excluded.n,
        latitude_e7 = kept.latitude_e7 + excluded.latitude_e7, longitude_e7 = kept.longitude_e7 + excluded.longitude_e7
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};

/** Removes some cells that have come to nothing, and answers how many; fewer than `limit` where there are no more. */
export const deleteEmptyMapCells = async (trx: Database, limit = deletedAtOnce): Promise<number> =>
  deleteSome(trx, 'map_cells', sql`n = 0`, limit);

/** A cell whose kept count, or whose sum of positions, differs from what a recount finds. */
export interface MapCountError {
  readonly userId: string;
  readonly level: number;
  readonly cell: number;
  readonly kept: number;
  readonly found: number;
}

/** Recounts the visible items of a user with a position, at one level, and answers where the kept counts are wrong. */
export const findMapCountErrors = async (
  db: Database,
  { userId, level }: { readonly userId: string; readonly level: number },
): Promise<MapCountError[]> => {
  const shift = sql.lit(2 * (finestLevel - level));
  const { rows } = await sql<MapCountError>`
    select ${userId}::uuid as "userId", ${level}::int as level,
      coalesce(kept.cell, found.cell) as cell, coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (
      select cell, sum(n) as n, sum(latitude_e7) as latitude_e7, sum(longitude_e7) as longitude_e7 from (
        select cell, n, latitude_e7, longitude_e7 from map_cells where user_id = ${userId} and level = ${level}
        union all
        select cell >> ${shift}, n, latitude_e7, longitude_e7 from map_deltas where user_id = ${userId}
      ) as both_tables group by 1 having sum(n) <> 0
    ) as kept full join (
      select map_cell(latitude, longitude) >> ${shift} as cell, count(*) as n,
        sum(round(latitude * 1e7)::bigint) as latitude_e7, sum(round(longitude * 1e7)::bigint) as longitude_e7
      from media_items
      where user_id = ${userId} and visibility = 'visible' and latitude is not null and longitude is not null
      group by 1
    ) as found using (cell)
    where (kept.n, kept.latitude_e7, kept.longitude_e7) is distinct from (found.n, found.latitude_e7, found.longitude_e7)
    order by 3 limit 100`.execute(db);
  return rows;
};
