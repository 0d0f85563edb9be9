import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { Among } from '../../meaning/candidates.ts';
import type { Span } from './dates/searchDateWords.ts';
import { anyTime, newestOfLists, sizeOf, type SearchList } from './lists/searchList.ts';
import { matchStep } from './searchMatches.ts';

/** Up to so many items are listed by their ids. */
const maxListed = 5_000;

/** Up to so many items are read one by one to rank them alone: 20,000 of a million took 0.2 s (2026-11), and half of that is allowed. */
const maxRead = 12_000;

/** Which items are ranked by meaning. */
export interface MeantAmong {
  /** Of which items; of all unless given. */
  readonly among?: Among;
  /** Whether all of these are what is required. */
  readonly isExact: boolean;
}

/** What an item must be: one of the lists of a name or filter; where there is none, anything. */
type Requirement = readonly SearchList[] | undefined;

/**
 * The items that have all names, are what filters ask and were taken in one of the spans, where they are few; else those that meet all requirements
 * that not very many items meet, so that the likest of them are found, however rare they are in the library. All items where very many meet each: of
 * very many, some are among the likest.
 */
export const meantAmong = async (
  db: Database,
  userId: string,
  required: readonly (readonly SearchList[])[],
  spans: readonly Span[],
): Promise<MeantAmong> => {
  if (required.length === 0 && spans === anyTime) return { isExact: true };
  const requirements: readonly Requirement[] = required.length === 0 ? [undefined] : required;
  const sized = [];
  for (const lists of requirements) {
    const items = itemsOf(userId, lists, spans);
    sized.push({ lists, items, size: await countItems(db, lists, spans, items) });
  }
  const first = sized.toSorted((a, b) => a.size - b.size)[0]!;
  if (first.lists !== undefined && first.size <= maxListed) {
    const { matches, last } = await matchStep(db, required, first.lists, spans, maxListed, undefined);
    if (last === undefined) return { among: matches.map(({ id }) => id), isExact: true };
  }
  const rare = sized.filter(({ size }) => size <= maxRead).map(({ items }) => sql`(${items})`);
  if (rare.length === 0) return { isExact: false };
  return { among: sql.join(rare, sql` intersect `), isExact: rare.length === sized.length };
};

/** The ids of the items that meet a requirement and were taken in one of the spans; in SQL. */
const itemsOf = (userId: string, lists: Requirement, spans: readonly Span[]): RawBuilder<unknown> =>
  lists === undefined
    ? sql`
      select id from unnest(${spans.map(({ from }) => from)}::timestamp[], ${spans.map(({ until }) => until)}::timestamp[]) as span (since, until)
      join media_items on user_id = ${userId} and visibility = 'visible' and local_time >= since and local_time < until`
    : sql`select media_item_id as id from (${newestOfLists(lists, spans, null)}) as found`;

/** How many items these are: of collections as it is kept, of others one more than `maxRead` at most. */
const countItems = async (
  db: Database,
  lists: Requirement,
  spans: readonly Span[],
  items: RawBuilder<unknown>,
): Promise<number> => {
  if (spans === anyTime && lists?.every(({ collectionId }) => collectionId !== null) === true) return sizeOf(lists);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from (${items}) as found limit ${maxRead + 1}) as counted`.execute(db);
  return rows[0]!.count;
};
