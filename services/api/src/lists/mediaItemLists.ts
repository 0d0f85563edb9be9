import { sql, type RawBuilder } from 'kysely';
import {
  findPage,
  matchesFilter,
  getStatementName,
  selectTotal,
  type CountedList,
  type MediaItemFilter,
} from './counts.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { PageOf } from '../database/pages.ts';
import type { LocalTime, MediaItemRow } from '@hearth/core/db/schema.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';

/** Position after an item in a list. Lists are sorted by local time, then id, both descending. */
export interface ListPosition {
  readonly localTime: LocalTime;
  readonly id: string;
}

/** Builds an `and` condition for the items after `item`, or nothing if it is undefined. */
export const andIsAfter = (item: ListPosition | undefined, id = sql.ref('id')): RawBuilder<unknown> =>
  item === undefined
    ? sql``
    : sql`and (local_time, ${id}) < (${hideFromPlanner(item.localTime, 'timestamp')}, ${hideFromPlanner(item.id, 'uuid')})`;

export type Page = PageOf<ListPosition>;

export interface MediaItemPage {
  readonly items: MediaItemRow[];
  readonly totalCount: number;
}

export interface OwnItemPage extends MediaItemPage {
  /** Ids of items that are in a shared album. */
  readonly sharedIds: ReadonlySet<string>;
}

/** Returns a page of a user's items. Costs about the same for any page of a library of any size. */
export const listMediaItems = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  page: Page,
): Promise<OwnItemPage> => {
  const user = hideFromPlanner(userId, 'uuid');
  const items = sql`media_items where user_id = ${user} and ${matchesFilter(filter)}`;
  return listCountedItems(
    db,
    { userId: user, listId: user, filter },
    { name: getStatementName('items', filter), items, id: sql.ref('id') },
    page,
  );
};

/** Source of a counted list's items. */
interface ListedItems {
  /** Name of the statement, see [Note: Prepared statements]. */
  readonly name: string;
  /** A table and a condition, with an index that returns these rows in list order. */
  readonly items: RawBuilder<unknown>;
  /** Column of the item id in that table. */
  readonly id: RawBuilder<unknown>;
}

/**
 * Returns a page of a counted list. Uses a single statement: a second one would double the cost and might see other
 * rows.
 */
export const listCountedItems = async (
  db: Database,
  list: CountedList,
  { name, items, id }: ListedItems,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const isDeep = 'number' in start && start.number > 1;
  const afterStart =
    'after' in start ? andIsAfter(start.after, id) : sql`${isDeep ? sql`and local_time < list.before` : sql``}`;
  // Skipped rows are read from the index alone. The limit is a literal, because the planner assumes a tenth of the
  // library for a parameter, see [Note: Prepared statements].
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, list.total
    from (${isDeep ? findPage(list, (start.number - 1) * limit) : selectTotal(list)}) as list
    left join lateral (
      select ${id} as id from ${items} ${afterStart}
      order by local_time desc, ${id} desc limit ${sql.lit(limit)} ${isDeep ? sql`offset list.skip` : sql``}
    ) as page on true
    left join media_items as item on item.id = page.id
    order by item.local_time desc, item.id desc`.execute(
    prepared(db, isDeep ? `${name}_from` : 'after' in start ? `${name}_behind` : name, limit),
  );
  return toPage(rows);
};

/** A row of a page with the length of the list. The item is null if the page is empty. */
export type CountedRow = (MediaItemRow | { readonly [Key in keyof MediaItemRow]: null }) & {
  readonly is_shared: boolean;
  readonly total: number;
};

export const toPage = (rows: readonly CountedRow[]): OwnItemPage => {
  const sharedIds = new Set<string>();
  const items = rows.flatMap((row) => {
    const { total: _, is_shared: isShared, ...item } = row;
    if (item.id === null) return [];
    if (isShared) sharedIds.add(item.id);
    return [item];
  });
  return { items, sharedIds, totalCount: rows[0]?.total ?? 0 };
};
