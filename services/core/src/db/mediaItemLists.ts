import { sql } from 'kysely';
import { countMediaItems, type MediaItemFilter } from './counts.ts';
import type { Database } from './database.ts';
import type { LocalTime, MediaItemRow } from './schema.ts';

/** The place in a list behind one item: lists are sorted by local time, newest first, then by id, descending. */
export interface ListPosition {
  readonly localTime: LocalTime;
  readonly id: string;
}

/** Which page of a list: by number from 1, or what follows a position. */
export interface Page {
  readonly limit: number;
  readonly start: { readonly number: number } | { readonly after: ListPosition };
}

/** One page, and how many items the whole list has. */
export interface MediaItemPage {
  readonly items: MediaItemRow[];
  readonly totalCount: number;
}

/** A page of a user's items. Costs about the same at the beginning and at the end of a library of any size. */
export const listMediaItems = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  { limit, start }: Page,
): Promise<MediaItemPage> => {
  const list = inOrder(db, userId, filter).limit(limit);
  if ('number' in start && start.number > 1) {
    const page = await listFrom(db, userId, filter, (start.number - 1) * limit, list);
    return page ?? { items: [], totalCount: await countMediaItems(db, userId, filter) };
  }
  const page =
    'after' in start
      ? list.where(sql<boolean>`(local_time, id) < (${start.after.localTime}::timestamp, ${start.after.id}::uuid)`)
      : list;
  const [totalCount, items] = await Promise.all([countMediaItems(db, userId, filter), page.execute()]);
  return { items, totalCount };
};

/**
 * The page of `list` that begins at `offset`, by a jump to the hour in which that item lies, in one statement: jump, page and
 * total see the same rows. `undefined` where the list is shorter.
 */
const listFrom = async (
  db: Database,
  userId: string,
  filter: MediaItemFilter,
  offset: number,
  list: ReturnType<typeof inOrder>,
): Promise<MediaItemPage | undefined> => {
  const { visibility, type = null, category = null, status = null, isFavourite = null } = filter;
  const page = list.where(sql<boolean>`local_time < jump.before`).offset(sql<number>`jump.skip`);
  const { rows } = await sql<MediaItemRow & { total: number }>`
    select item.*, jump.total
    from find_jump(${userId}, ${visibility}, ${type}, ${category}, ${status}, ${offset}, ${isFavourite}) as jump
    cross join lateral ${page} as item
    order by item.local_time desc, item.id desc`.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  const items = rows.map((row) => {
    const { total: _, ...item } = row;
    return item;
  });
  return { items, totalCount: first.total };
};

/** The plan is a scan of one of the partial indexes that end in (local_time desc, id desc), without a sort. */
const inOrder = (
  db: Database,
  userId: string,
  { visibility, type, category, status, isFavourite }: MediaItemFilter,
) => {
  let query = db
    .selectFrom('media_items')
    .selectAll()
    .where('user_id', '=', userId)
    // These are literals, so that the planner can match them with a partial index also in a prepared statement.
    .where('visibility', '=', sql.lit(visibility));
  if (type !== undefined) query = query.where('type', '=', sql.lit(type));
  if (category !== undefined) query = query.where('category', '=', sql.lit(category));
  if (status !== undefined) query = query.where('status', '=', sql.lit(status));
  if (isFavourite !== undefined) query = query.where('is_favourite', '=', sql.lit(isFavourite));
  return query.orderBy('local_time', 'desc').orderBy('id', 'desc');
};
