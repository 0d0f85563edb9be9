import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import { selectItemsOfCells } from './mapCounts.ts';
import { getCellBounds, finestLevel, listCells, type MapBounds } from './mapCells.ts';

export interface MapCluster {
  /** Mean position of the items. */
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly bounds: MapBounds;
  /** One of the items. Does not change while that item is visible. */
  readonly cover: { readonly id: string; readonly thumbnailKey: string | null };
}

interface CellRow {
  readonly cell: number;
  readonly n: number;
  readonly latitude_e7: number;
  readonly longitude_e7: number;
  readonly id: string;
  readonly thumbnail_key: string | null;
}

/**
 * Returns clusters of a user's visible items in a region, for a map's zoom, at most `maxClusters`. Cells at the edge
 * are counted whole. The cost depends on the number of cells, not on the library's size.
 */
export const listMapClusters = async (
  db: Database,
  userId: string,
  { bounds, zoom, maxClusters }: { readonly bounds: MapBounds; readonly zoom: number; readonly maxClusters: number },
): Promise<MapCluster[]> => {
  const { level, cells } = listCells(bounds, zoom, maxClusters);
  // Two bits per level above the finest.
  const bits = sql.lit(2 * (finestLevel - level));
  const { rows } = await sql<CellRow>`
    with stored as materialized (
      select cell, n, latitude_e7, longitude_e7 from map_cells
      where user_id = ${userId} and level = ${level} and cell = any(${cells}::bigint[])
    ), others as (
      -- Looks up consecutive cells as one range, because most cells have no items.
      select min(cell) as first, max(cell) as last from (
        select cell, cell - row_number() over (order by cell) as row_of_cells
        from unnest(${cells}::bigint[]) as requested (cell) where cell not in (select cell from stored)
      ) as missing group by row_of_cells
    ), parts as (
      select * from stored
      union all
      select cell >> ${bits}, n, latitude_e7, longitude_e7 from map_deltas
      where user_id = ${userId} and cell >> ${bits} in (select cell from stored)
      union all
      select item.cell >> ${bits}, item.n, item.latitude_e7, item.longitude_e7 from others
      cross join lateral (${selectItemsOfCells(sql`${userId}`, { first: sql`others.first`, last: sql`others.last` }, bits)}) as item
    ), sums as (
      select cell, sum(n)::bigint as n, sum(latitude_e7)::bigint as latitude_e7, sum(longitude_e7)::bigint as longitude_e7
      from parts group by cell having sum(n) > 0
    )
    select sums.*, cover.id, cover.thumbnail_key from sums
    cross join lateral (
      select id, thumbnail_key from media_items
      where user_id = ${userId} and visibility = 'visible' and latitude is not null and longitude is not null
        and map_cell(latitude, longitude) >= sums.cell << ${bits} and map_cell(latitude, longitude) < (sums.cell + 1) << ${bits}
      order by map_cell(latitude, longitude), id limit 1
    ) as cover
    order by n desc, cell`.execute(prepared(db, 'map_clusters'));
  return rows.map((row) => ({
    latitude: row.latitude_e7 / row.n / 1e7,
    longitude: row.longitude_e7 / row.n / 1e7,
    count: row.n,
    bounds: getCellBounds(level, row.cell),
    cover: { id: row.id, thumbnailKey: row.thumbnail_key },
  }));
};
