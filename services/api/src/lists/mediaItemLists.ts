import { sql, type RawBuilder } from 'kysely';
import { findPage, matchesFilter, nameOfRead, totalOf, type CountedList, type MediaItemFilter } from './counts.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { PageOf } from '../database/pages.ts';
import type { LocalTime, MediaItemRow } from '@hearth/core/db/schema.ts';
import { prepared, hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';

/** The place in a list behind one item: lists are sorted by local time, newest first, then by id, descending. */
export interface ListPosition {
  readonly localTime: LocalTime;
  readonly id: string;
}

/** Whether an item follows another one in a list of a page: a condition behind others, none without that other one. */
export const andIsBehind = (item: ListPosition | undefined, id = sql.ref('id')): RawBuilder<unknown> =>
  item === undefined
    ? sql``
    : sql`and (local_time, ${id}) < (${hiddenFromPlanner(item.localTime, 'timestamp')}, ${hiddenFromPlanner(item.id, 'uuid')})`;

export type Page = PageOf<ListPosition>;

export interface MediaItemPage {
  readonly items: MediaItemRow[];
  readonly totalCount: number;
}

export interface OwnItemPage extends MediaItemPage {
  /** Which of them are in a shared album. */
  readonly sharedIds: ReadonlySet<string>;
}

/** A page of a user's items. Costs about the same at the beginning and at the end of a library of any size. */
export const listMediaItems = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  page: Page,
): Promise<OwnItemPage> => {
  const user = hiddenFromPlanner(userId, 'uuid');
  const items = sql`media_items where user_id = ${user} and ${matchesFilter(filter)}`;
  return listCountedItems(
    db,
    { userId: user, listId: user, filter },
    { name: nameOfRead('items', filter), items, id: sql.ref('id') },
    page,
  );
};

/** Where the items of a counted list are. */
interface ListedItems {
  /** Of the statement, see [Note: Prepared statements]. */
  readonly name: string;
  /** A table and a condition, with an index that has these rows in the order of the list. */
  readonly items: RawBuilder<unknown>;
  /** Of an item, in that table. */
  readonly id: RawBuilder<unknown>;
}

/** A page of a counted list. It is one statement: another one would cost as much as reading the page, and could see other rows. */
export const listCountedItems = async (
  db: Database,
  list: CountedList,
  { name, items, id }: ListedItems,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  const isDeep = 'number' in start && start.number > 1;
  const behind =
    'after' in start ? andIsBehind(start.after, id) : sql`${isDeep ? sql`and local_time < list.before` : sql``}`;
  // Rows that are skipped are read from the index alone. The limit is a literal here and in other lists: of a limit that it does not see, the planner
  // believes that it is a tenth of the library, see [Note: Prepared statements].
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, list.total
    from (${isDeep ? findPage(list, (start.number - 1) * limit) : totalOf(list)}) as list
    left join lateral (
      select ${id} as id from ${items} ${behind}
      order by local_time desc, ${id} desc limit ${sql.lit(limit)} ${isDeep ? sql`offset list.skip` : sql``}
    ) as page on true
    left join media_items as item on item.id = page.id
    order by item.local_time desc, item.id desc`.execute(
    prepared(db, isDeep ? `${name}_from` : 'after' in start ? `${name}_behind` : name, limit),
  );
  return toPage(rows);
};

/** A row of a page: an item, or none where the page is empty, and how long the list is. */
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
