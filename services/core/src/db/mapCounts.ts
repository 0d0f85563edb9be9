import { sql } from 'kysely';
import type { Database } from './database.ts';
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

/** Removes cells that have come to nothing. */
export const deleteEmptyMapCells = async (trx: Database): Promise<void> => {
  await trx.deleteFrom('map_cells').where('n', '=', 0).execute();
};

/** A cell whose kept count, or whose sum of positions, differs from what a recount finds. */
export interface MapCountError {
  readonly userId: string;
  readonly level: number;
  readonly cell: number;
  readonly kept: number;
  readonly found: number;
}

/** Recounts every visible item with a position, at every level, and answers where the kept counts are wrong. */
export const findMapCountErrors = async (db: Database): Promise<MapCountError[]> => {
  const { rows } = await sql<MapCountError>`
    select coalesce(kept.user_id, found.user_id) as "userId", coalesce(kept.level, found.level) as level,
      coalesce(kept.cell, found.cell) as cell, coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (
      select user_id, level, cell, sum(n) as n, sum(latitude_e7) as latitude_e7, sum(longitude_e7) as longitude_e7 from (
        select user_id, level, cell, n, latitude_e7, longitude_e7 from map_cells
        union all
        select user_id, level, cell >> (2 * (${sql.lit(finestLevel)} - level)), n, latitude_e7, longitude_e7
        from map_deltas cross join generate_series(2, ${sql.lit(finestLevel)}, 2) as level
        where user_id in (select id from users) -- what is left of a deleted one goes with the next fold
      ) as both_tables group by 1, 2, 3 having sum(n) <> 0
    ) as kept full join (
      select user_id, level, map_cell(latitude, longitude) >> (2 * (${sql.lit(finestLevel)} - level)) as cell, count(*) as n,
        sum(round(latitude * 1e7)::bigint) as latitude_e7, sum(round(longitude * 1e7)::bigint) as longitude_e7
      from media_items cross join generate_series(2, ${sql.lit(finestLevel)}, 2) as level
      where visibility = 'visible' and latitude is not null and longitude is not null
      group by 1, 2, 3
    ) as found using (user_id, level, cell)
    where (kept.n, kept.latitude_e7, kept.longitude_e7) is distinct from (found.n, found.latitude_e7, found.longitude_e7)
    order by 1, 2, 3 limit 100`.execute(db);
  return rows;
};
