import { sql } from 'kysely';
import { countMediaItems, totalOf, type MediaItemFilter } from './counts.ts';
import type { Database } from '../connection/database.ts';
import type { PageOf } from '../connection/pages.ts';
import type { LocalTime, MediaItemRow } from '../connection/schema.ts';
import { unseen } from '../connection/preparedReads.ts';
import { isListedItemShared } from '../collections/sharedItems.ts';

/** The place in a list behind one item: lists are sorted by local time, newest first, then by id, descending. */
export interface ListPosition {
  readonly localTime: LocalTime;
  readonly id: string;
}

/** Which page of a list of media items. */
export type Page = PageOf<ListPosition>;

/** One page, and how many items the whole list has. */
export interface MediaItemPage {
  readonly items: MediaItemRow[];
  readonly totalCount: number;
}

/** A page of a list of a user's own items. */
export interface OwnItemPage extends MediaItemPage {
  /** Which of them are in a shared album. */
  readonly sharedIds: ReadonlySet<string>;
}

/** A page of a user's items. Costs about the same at the beginning and at the end of a library of any size. */
export const listMediaItems = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  { limit, start }: Page,
): Promise<OwnItemPage> => {
  // The limit is a literal here and in other lists: a plan for all values, see [Note: Prepared reads], would be made for a tenth of the library.
  const list = inOrder(db, userId, filter).limit(sql.lit(limit));
  if ('number' in start && start.number > 1) {
    const page = await listFrom(db, userId, filter, (start.number - 1) * limit, list);
    return page ?? emptyPage(await countMediaItems(db, userId, filter));
  }
  const page =
    'after' in start
      ? list
          .selectAll()
          .where(
            sql<boolean>`(local_time, id) < (${unseen(start.after.localTime, 'timestamp')}, ${unseen(start.after.id, 'uuid')})`,
          )
      : list.selectAll();
  // In one statement: each one more costs a page as much as reading it.
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, kept.total from (${totalOf(userId, filter)}) as kept left join (${page}) as item on true
    order by item.local_time desc, item.id desc`.execute(db);
  return toPage(rows);
};

/** An item of a page, or of an empty page nothing, and how long the list is. */
export type CountedRow = (MediaItemRow | { readonly [Key in keyof MediaItemRow]: null }) & {
  readonly is_shared: boolean;
  readonly total: number;
};

/** The page that was read together with its total. */
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

/** A page behind the last one. */
export const emptyPage = (totalCount: number): OwnItemPage => ({ items: [], sharedIds: new Set(), totalCount });

/**
 * The page of `list` that begins at `offset`, by a jump to the hour, or the cell of a full hour, in which that item lies, in one statement: jump, page and
 * total see the same rows. `undefined` where the list is shorter.
 */
const listFrom = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  offset: number,
  list: ReturnType<typeof inOrder>,
): Promise<OwnItemPage | undefined> => {
  const { visibility, type = null, category = null, status = null, isFavourite = null } = filter;
  // What is skipped is read from the index alone, where the index knows all that is asked for.
  const page = list
    .select('id')
    .where(sql<boolean>`(local_time, id) < (jump.before, jump.before_id)`)
    .offset(sql<number>`jump.skip`);
  const { rows } = await sql<CountedRow>`
    select item.*, ${isListedItemShared} as is_shared, jump.total
    from find_page(${userId}, ${visibility}, ${type}, ${category}, ${status}, ${offset}, ${isFavourite}) as jump
    cross join lateral ${page} as page
    join media_items as item on item.id = page.id
    order by item.local_time desc, item.id desc`.execute(db);
  return rows.length === 0 ? undefined : toPage(rows);
};

/** The plan is a scan of one of the partial indexes that end in (local_time desc, id desc), without a sort. */
const inOrder = (
  db: Database,
  userId: string,
  { visibility, type, category, status, isFavourite }: MediaItemFilter,
) => {
  let query = db
    .selectFrom('media_items')
    .where('user_id', '=', unseen(userId, 'uuid'))
    // These are literals, so that the planner can match them with a partial index also in a prepared statement.
    .where('visibility', '=', sql.lit(visibility));
  if (type !== undefined) query = query.where('type', '=', sql.lit(type));
  if (category !== undefined) query = query.where('category', '=', sql.lit(category));
  if (status !== undefined) query = query.where('status', '=', sql.lit(status));
  if (isFavourite !== undefined) query = query.where('is_favourite', '=', sql.lit(isFavourite));
  return query.orderBy('local_time', 'desc').orderBy('id', 'desc');
};
