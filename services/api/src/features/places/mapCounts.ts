import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { deleteBatchSize, deleteBatch } from '../../database/deleteBatch.ts';
import { finestLevel, minStoredItems } from './mapCells.ts';

/**
 * Like `rollUpCounts`, for map cells. A cell that reaches `minStoredItems` gets a stored count: the number of its items
 * minus the pending deltas.
 */
export const rollUpMapCounts = async (trx: Database, limit: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with recursive moved as (
      delete from map_deltas where id in (select id from map_deltas order by id limit ${limit}) returning *
    ), owners as (
      -- Takes the foreign key's lock early: waits for a concurrent deletion of the user, then skips the user.
      select id from users where id in (select user_id from moved) and removing_at is null order by id for key share
    ), changes as materialized (
      select moved.user_id, level, 2 * (${sql.lit(finestLevel)} - level) as bits, cell >> (2 * (${sql.lit(finestLevel)} - level)) as cell,
        sum(n) as n, sum(latitude_e7) as latitude_e7, sum(longitude_e7) as longitude_e7
      from moved
      join owners on owners.id = moved.user_id
      cross join generate_series(2, ${sql.lit(finestLevel)}, 2) as level
      group by 1, 2, 3, 4
    ), sums as (
      -- From the coarsest level to the finest: if a cell has too few items to be stored, so do all cells inside it.
      select id as user_id, 0 as level, 0::bigint as cell, 0::bigint as n, 0::numeric as latitude_e7, 0::numeric as longitude_e7 from owners
      union all
      select user_id, changes.level, changes.cell, changes.n + missing.n,
        changes.latitude_e7 + missing.latitude_e7, changes.longitude_e7 + missing.longitude_e7
      from sums as outer_cell
      join changes using (user_id)
      cross join lateral (
        select (select true from map_cells as kept where kept.user_id = changes.user_id and kept.level = changes.level and kept.cell = changes.cell)
          as is_kept offset 0
      ) as stored
      cross join lateral (
        select coalesce(sum(n), 0) as n, coalesce(sum(latitude_e7), 0) as latitude_e7, coalesce(sum(longitude_e7), 0) as longitude_e7
        from (
          ${selectItemsOfCells(sql`changes.user_id`, { first: sql`changes.cell`, last: sql`changes.cell` }, sql`bits`)}
          union all
          select cell, -n, -latitude_e7, -longitude_e7 from map_deltas
          where user_id = changes.user_id and cell >= changes.cell << bits and cell < (changes.cell + 1) << bits
        ) as item
        where is_kept is null
      ) as missing
      where changes.level = outer_cell.level + 2 and changes.cell >> 4 = outer_cell.cell
        and (is_kept or changes.n + missing.n >= ${minStoredItems})
    ), rolled_up as (
      insert into map_cells as kept (user_id, level, cell, n, latitude_e7, longitude_e7)
      select * from sums where level > 0 and (n <> 0 or latitude_e7 <> 0 or longitude_e7 <> 0) order by user_id, level, cell
      on conflict (user_id, level, cell) do update set n = kept.n + excluded.n,
        latitude_e7 = kept.latitude_e7 + excluded.latitude_e7, longitude_e7 = kept.longitude_e7 + excluded.longitude_e7
    )
    select count(*) as n from moved`.execute(trx);
  return rows[0]?.n ?? 0;
};

/**
 * Selects the items in a range of cells that are coarser than the finest ones by this many bits. Each item has its finest
 * cell and the values to sum up.
 */
export const selectItemsOfCells = (
  userId: RawBuilder<unknown>,
  { first, last }: { readonly first: RawBuilder<unknown>; readonly last: RawBuilder<unknown> },
  bits: RawBuilder<unknown>,
) => sql`
  ${itemsWithCells(userId)}
    and map_cell(latitude, longitude) >= ${first} << ${bits} and map_cell(latitude, longitude) < (${last} + 1) << ${bits}`;

const itemsWithCells = (userId: RawBuilder<unknown>) => sql`
  select map_cell(latitude, longitude) as cell, 1 as n, round(latitude * 1e7)::bigint as latitude_e7,
    round(longitude * 1e7)::bigint as longitude_e7
  from media_items as item
  where item.user_id = ${userId} and visibility = 'visible' and latitude is not null and longitude is not null`;

/** Deletes a batch of empty cells and returns their number, which is less than `limit` if none is left. */
export const deleteEmptyMapCells = async (trx: Database, limit = deleteBatchSize): Promise<number> =>
  deleteBatch(trx, 'map_cells', sql`n = 0`, limit);

/** A cell with a wrong stored count or sum of positions. Missing cells have 0. */
export interface MapCountError {
  readonly userId: string;
  readonly level: number;
  readonly cell: number;
  readonly kept: number;
  readonly found: number;
}

/**
 * Recounts a user's visible items with a position at one level, without pending deltas. Returns up to 100 wrong and
 * missing cells.
 */
export const findMapCountErrors = async (
  db: Database,
  { userId, level }: { readonly userId: string; readonly level: number },
): Promise<MapCountError[]> => {
  const shift = sql.lit(2 * (finestLevel - level));
  const { rows } = await sql<MapCountError>`
    select ${userId}::uuid as "userId", ${level}::int as level, cell, coalesce(kept.n, 0) as kept, coalesce(found.n, 0) as found
    from (select * from map_cells where user_id = ${userId} and level = ${level}) as kept
    full join (
      select cell, sum(n) as n, sum(latitude_e7) as latitude_e7, sum(longitude_e7) as longitude_e7 from (
        select cell >> ${shift} as cell, n, latitude_e7, longitude_e7 from (${itemsWithCells(sql`${userId}`)}) as item
        union all
        select cell >> ${shift}, -n, -latitude_e7, -longitude_e7 from map_deltas where user_id = ${userId}
      ) as rolled_up group by 1
    ) as found using (cell)
    where case when kept.n is null then found.n >= ${minStoredItems}
      else (kept.n, kept.latitude_e7, kept.longitude_e7)
        is distinct from (coalesce(found.n, 0), coalesce(found.latitude_e7, 0), coalesce(found.longitude_e7, 0)) end
    order by 3 limit 100`.execute(db);
  return rows;
};
