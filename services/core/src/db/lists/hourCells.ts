import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connection/database.ts';
import { deletedAtOnce, deleteSome } from '../connection/deleteSome.ts';
import type { LocalTime } from '../connection/schema.ts';

/*
 * [Note: Full hours] An hour with more items than twice a cell's size is divided into cells: ranges of the one sort order, each with counts
 * of its own, so that a page deep inside is reached by a jump too. `hour_bounds` says where cells begin, `hour_cells` how many items of which
 * kind they hold. A delta of a divided hour names the item's place; one that was written before the hour was divided does not, and
 * until it is folded, which counts the hour anew, readers leave the cells alone.
 */

/** Items in a cell when it is made; it is divided again when it has twice as many. To skip so many takes as long as to find the cell among those of half a million items. */
export const usualCellSize = 2_000;

/** A part of an hour that is to be divided: from a place in the sort order to another, where the next cell begins, or to its end. */
export interface FullHour {
  readonly listId: string;
  readonly hour: LocalTime;
  readonly from: { readonly localTime: LocalTime; readonly itemId: string } | null;
}

/** Lists whose items are counted: where their deltas and their items are. */
export interface CountedLists {
  readonly deltas: RawBuilder<unknown>;
  /** The list in a row of deltas, and in one of counts. */
  readonly listColumn: RawBuilder<unknown>;
  /** `list_id, local_time, item_id, visibility, type, category, status, is_favourite` of every item. */
  readonly items: RawBuilder<unknown>;
  /** Where they are counted by the hour. */
  readonly counts: RawBuilder<unknown>;
  /** The kinds by which items are counted, in a row of deltas. */
  readonly kinds: RawBuilder<unknown>;
}

/**
 * The end of a statement that folds deltas: adds those of divided hours, from `moved`, to their cells, and finds in `full_hours.list` what
 * is to be divided: cells that have grown, hours whose deltas did not all say where, and by `folded` hours that have become full.
 */
export const foldIntoCells = (cellSize: number): RawBuilder<unknown> => sql`
  grown as (
    insert into hour_cells as kept
      (list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite, n)
    select moved.list_id, moved.hour, bound.local_time, bound.item_id, visibility, type, category, status, is_favourite, sum(n)
    from moved
    cross join lateral (
      select local_time, item_id from hour_bounds
      where list_id = moved.list_id and hour = moved.hour
        and (local_time, item_id) <= (moved.local_time, moved.item_id)
      order by local_time desc, item_id desc limit 1
    ) as bound
    where moved.item_id is not null and visibility in ('visible', 'hidden', 'trash')
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite)
    do update set n = kept.n + excluded.n
    returning *
  ), full_hours as (
    select jsonb_agg(distinct jsonb_build_object('listId', list_id, 'hour', hour, 'from', from_place)) as list from (
      select list_id, hour, jsonb_build_object('localTime', local_time, 'itemId', item_id) as from_place
      from grown where n > ${2 * cellSize}
      union all
      select list_id, hour, null from folded
      where grain = 'hour' and n > ${2 * cellSize} and not is_divided(list_id, hour)
      union all
      select list_id, hour, null from (select distinct list_id, hour from moved where item_id is null) as unplaced
      where is_divided(list_id, hour)
    ) as found
  )`;

/** Any number that nobody else uses. */
const cellLock = 7_301_948_226;

/**
 * Lets nobody else write cells until the transaction ends. The first thing that it does: a statement sees no cell that was made after it began.
 * One lock for all lists, since a fold learns whose deltas it moves by moving them.
 */
export const lockCells = async (trx: Database): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${cellLock})`.execute(trx);
};

/** Divides hours, or cells of them, into cells of `cellSize` items. Within a transaction that has locked the cells, such as the one that has folded the deltas. */
export const divideHours = async (
  trx: Database,
  full: readonly FullHour[],
  lists: CountedLists,
  cellSize = usualCellSize,
): Promise<void> => {
  const whole = full.filter(({ from }) => from === null);
  const cells = full.filter((each) => !whole.some((one) => one.listId === each.listId && one.hour === each.hour));
  for (const each of [...whole, ...cells]) await divide(trx, each, lists, cellSize);
};

const divide = async (
  trx: Database,
  { listId, hour, from }: FullHour,
  lists: CountedLists,
  size: number,
): Promise<void> => {
  const beginsAt = from ?? { localTime: hour, itemId: leastId };
  const { rows } = await sql<{ local_time: LocalTime; item_id: string }>`
    select local_time, item_id from hour_bounds
    where list_id = ${listId} and hour = ${hour} and ${from !== null}::boolean
      and (local_time, item_id) > (${beginsAt.localTime}::timestamp, ${beginsAt.itemId}::uuid)
    order by local_time, item_id limit 1`.execute(trx);
  const end = rows[0];
  const isWithin = sql<boolean>`(local_time, item_id) >= (${beginsAt.localTime}::timestamp, ${beginsAt.itemId}::uuid) and ${
    end === undefined
      ? sql`local_time < ${hour}::timestamp + interval '1 hour'`
      : sql`(local_time, item_id) < (${end.local_time}::timestamp, ${end.item_id}::uuid)`
  }`;
  for (const table of ['hour_cells', 'hour_bounds'] as const) {
    await sql`delete from ${sql.table(table)} where list_id = ${listId} and hour = ${hour} and ${isWithin}`.execute(
      trx,
    );
  }
  // One statement, which sees items and deltas of one moment: what waits to be folded is not counted yet.
  await sql`
    with items as (
      select *, row_number() over (order by local_time, item_id) - 1 as nth
      from (${lists.items}) as all_items where list_id = ${listId} and ${isWithin}
    ), bounds as materialized (
      select nth / ${size}::int as cell, local_time, item_id from items where nth > 0 and nth % ${size}::int = 0
      union all
      select 0, ${beginsAt.localTime}::timestamp, ${beginsAt.itemId}::uuid
    ), made as (
      insert into hour_bounds (list_id, hour, local_time, item_id) select ${listId}, ${hour}::timestamp, local_time, item_id from bounds
    ), waiting as (
      select local_time, item_id, n, ${lists.kinds} from ${lists.deltas}
      where ${lists.listColumn} = ${listId} and hour = ${hour} and item_id is not null and ${isWithin}
    )
    insert into hour_cells (list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite, n)
    select ${listId}, ${hour}::timestamp, bounds.local_time, bounds.item_id, visibility, type, category, status, is_favourite, sum(n)
    from (
      select nth / ${size}::int as cell, visibility, type, category, status, is_favourite, 1 as n from items
      union all
      select (
        select cell from bounds where (bounds.local_time, bounds.item_id) <= (waiting.local_time, waiting.item_id)
        order by bounds.local_time desc, bounds.item_id desc limit 1
      ), visibility, type, category, status, is_favourite, -n from waiting where visibility in ('visible', 'hidden', 'trash')
    ) as counted
    join bounds using (cell)
    group by 3, 4, 5, 6, 7, 8, 9 having sum(n) <> 0`.execute(trx);
};

const leastId = '00000000-0000-0000-0000-000000000000';

/**
 * Recounts the items of the divided hours of some lists and answers where the cells do not hold them, nor what waits to be folded. A million items,
 * all of them in full hours, take 7 to 11 s on two busy cores (2026-11).
 */
export const findCellErrors = async (
  db: Database,
  { deltas, listColumn, items, kinds }: CountedLists,
  listIds: readonly string[],
): Promise<FullHour[]> => {
  const isWanted = sql`list_id = any(${listIds}::uuid[])`;
  const { rows } = await sql<FullHour>`
    with divided as (select distinct list_id, hour from hour_bounds where ${isWanted}),
    found as (
      select list_id, local_time, item_id, visibility, type, category, status, is_favourite, 1 as n from (${items}) as all_items
      where ${isWanted} and (list_id, date_trunc('hour', local_time)) in (select list_id, hour from divided)
      union all
      select list_id, local_time, item_id, visibility, type, category, status, is_favourite, -n
      from (select ${listColumn} as list_id, hour, local_time, item_id, n, ${kinds} from ${deltas}) as waiting
      where ${isWanted} and visibility in ('visible', 'hidden', 'trash') and item_id is not null
        and (list_id, hour) in (select list_id, hour from divided)
    )
    select distinct list_id as "listId", hour, null as "from" from (
      select list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite, n from hour_cells where ${isWanted}
      union all
      select found.list_id, bound.hour, bound.local_time, bound.item_id, visibility, type, category, status, is_favourite, -n
      from found
      cross join lateral (
        select * from hour_bounds
        where list_id = found.list_id and hour = date_trunc('hour', found.local_time)
          and (local_time, item_id) <= (found.local_time, found.item_id)
        order by local_time desc, item_id desc limit 1
      ) as bound
    ) as both_sides
    group by list_id, hour, local_time, item_id, visibility, type, category, status, is_favourite having sum(n) <> 0`.execute(
    db,
  );
  return rows;
};

/** Finds full hours of some lists that are not divided: those of before there were cells, of which nothing is folded any more. */
export const findFullHours = async (
  db: Database,
  { counts, listColumn }: CountedLists,
  listIds: readonly string[],
): Promise<FullHour[]> => {
  const { rows } = await sql<FullHour>`
    select distinct ${listColumn} as "listId", bucket as hour, null as "from" from ${counts}
    where ${listColumn} = any(${listIds}::uuid[]) and grain = 'hour' and n > ${2 * usualCellSize}
      and not is_divided(${listColumn}, bucket)`.execute(db);
  return rows;
};

/** Removes some of what is left of the cells of lists that are gone, and answers how much; fewer than `limit` where nothing more is. */
export const deleteLeftCells = async (trx: Database, limit = deletedAtOnce): Promise<number> => {
  const isLeft = sql`not exists (select from users where id = list_id) and not exists (select from collections where id = list_id)`;
  const ofCells = await deleteSome(trx, 'hour_cells', isLeft, limit);
  return ofCells === limit ? limit : ofCells + (await deleteSome(trx, 'hour_bounds', isLeft, limit - ofCells));
};
