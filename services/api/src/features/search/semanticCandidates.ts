import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { ItemSet } from '../../semantic/candidates.ts';
import type { Span } from './dates/searchDateWords.ts';
import { anyTime, selectNewest, getSize, type SearchList } from './lists/searchList.ts';
import { matchNextBatch } from './searchMatches.ts';

/** Up to this many matching items are listed by id. */
const maxListed = 5_000;

/**
 * Up to this many items are read one by one to rank them alone. 20,000 of a million took 0.2 s (2026-11), and half of
 * that is acceptable.
 */
const maxRead = 12_000;

/** Items to rank by meaning. */
export interface SemanticCandidates {
  /** Restricts the ranking to these items. All items if undefined. */
  readonly among?: ItemSet;
  /** True if these are exactly the required items. */
  readonly isExact: boolean;
}

/** A requirement on items: one of the posting lists of a name or filter. Undefined requires nothing. */
type Requirement = readonly SearchList[] | undefined;

/**
 * Selects the items to rank by meaning. If few items meet all names, filters and spans, selects exactly these.
 * Otherwise selects the items that meet the rarer requirements, so that their best matches are found however rare they
 * are. Requirements met by very many items are ignored: some of those are among the best matches anyway.
 */
export const selectSemanticCandidates = async (
  db: Database,
  userId: string,
  required: readonly (readonly SearchList[])[],
  spans: readonly Span[],
): Promise<SemanticCandidates> => {
  if (required.length === 0 && spans === anyTime) return { isExact: true };
  const requirements: readonly Requirement[] = required.length === 0 ? [undefined] : required;
  const sized = [];
  for (const lists of requirements) {
    const items = selectItems(userId, lists, spans);
    sized.push({ lists, items, size: await countItems(db, lists, spans, items) });
  }
  const first = sized.toSorted((a, b) => a.size - b.size)[0]!;
  if (first.lists !== undefined && first.size <= maxListed) {
    const { matches, last } = await matchNextBatch(db, required, first.lists, spans, maxListed, undefined);
    if (last === undefined) return { among: matches.map(({ id }) => id), isExact: true };
  }
  const rare = sized.filter(({ size }) => size <= maxRead).map(({ items }) => sql`(${items})`);
  if (rare.length === 0) return { isExact: false };
  return { among: sql.join(rare, sql` intersect `), isExact: rare.length === sized.length };
};

/** Builds SQL for the ids of items that meet a requirement within the spans. */
const selectItems = (userId: string, lists: Requirement, spans: readonly Span[]): RawBuilder<unknown> =>
  lists === undefined
    ? sql`
      select id from unnest(${spans.map(({ from }) => from)}::timestamp[], ${spans.map(({ until }) => until)}::timestamp[]) as span (since, until)
      join media_items on user_id = ${userId} and visibility = 'visible' and local_time >= since and local_time < until`
    : sql`select media_item_id as id from (${selectNewest(lists, spans, null)}) as found`;

/** Counts these items: from stored counts for collections, otherwise up to `maxRead` + 1. */
const countItems = async (
  db: Database,
  lists: Requirement,
  spans: readonly Span[],
  items: RawBuilder<unknown>,
): Promise<number> => {
  if (spans === anyTime && lists?.every(({ collectionId }) => collectionId !== null) === true) return getSize(lists);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from (${items}) as found limit ${maxRead + 1}) as counted`.execute(db);
  return rows[0]!.count;
};
