import { sql, type RawBuilder } from 'kysely';
import { maxDuplicatesShown } from '@hearth/contract/limits.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import { cutPage, type CursorPage } from '../../database/pages.ts';
import { hideFromPlanner, prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isListedItemShared } from '@hearth/core/items/sharedItems.ts';

/** A group of photos that look the same, see [Note: Duplicates]. */
export interface DuplicateGroup {
  readonly id: string;
  /** Number of visible photos. */
  readonly itemCount: number;
  /** Number of photos that its review moved to the trash. */
  readonly trashedCount: number;
  readonly isReviewed: boolean;
  /** Changes whenever a visible photo joins, so that a review can state which version it has seen. */
  readonly revision: string;
  /** The best visible photos, best first. */
  readonly best: readonly ListedItem[];
}

/** An item with its sharing state. */
export type ListedItem = MediaItemRow & { readonly is_shared: boolean };

/** Position in a list of groups. */
export interface GroupPosition {
  readonly id: string;
}

/** Position in a group's list of photos. */
export interface MemberPosition {
  readonly score: number;
  readonly id: string;
}

type GroupColumns = Omit<DuplicateGroup, 'id' | 'best'> & { readonly groupId: string };

/** A group joined with one of its best items, null if none is visible. */
type GroupRow = GroupColumns & { readonly [Column in keyof ListedItem]: ListedItem[Column] | null };

const groupColumns = sql`
  duplicate_group.id as "groupId", item_count as "itemCount", trashed_count as "trashedCount", reviewed_at is not null as "isReviewed", revision::text`;

/** Groups with fewer than two photos do not exist for their owner. Photos trashed by the review count. */
const isPresent = sql`item_count + trashed_count >= 2`;

/**
 * Returns a page of a user's groups, latest upload first: either reviewed groups, including those whose other photos are in
 * the trash, or unreviewed groups with at least two visible photos.
 */
export const listDuplicateGroups = async (
  db: Database,
  userId: string,
  isReviewed: boolean,
  limit: number,
  after: GroupPosition | undefined,
): Promise<CursorPage<DuplicateGroup, GroupPosition>> => {
  const condition = isReviewed
    ? sql`${isPresent} and reviewed_at is not null`
    : sql`item_count >= 2 and reviewed_at is null`;
  const groups = sql`
    select ${groupColumns} from duplicate_groups as duplicate_group
    where user_id = ${hideFromPlanner(userId, 'uuid')} and ${condition} and id < ${hideFromPlanner(after?.id ?? lastId, 'uuid')}
    order by id desc limit ${sql.lit(limit + 1)}`;
  const name = isReviewed ? 'reviewed_duplicates' : 'duplicates';
  return cutPage(await readGroups(prepared(db, name, limit + 1), groups), limit, ({ id }) => ({ id }));
};

/**
 * @throws NotFoundError if the user has no such group, or it has fewer than two photos, counting those trashed by the
 *   review
 */
export const getDuplicateGroup = async (db: Database, userId: string, id: string): Promise<DuplicateGroup> => {
  const [group] = await readGroups(
    prepared(db, 'duplicate_group'),
    sql`select ${groupColumns} from duplicate_groups as duplicate_group where id = ${id} and user_id = ${userId} and ${isPresent}`,
  );
  if (group === undefined) throw createNoGroupError();
  return group;
};

/** @throws NotFoundError like `getDuplicateGroup` */
export const checkGroup = async (db: Database, userId: string, id: string): Promise<void> => {
  const { rows } = await sql`
    select from duplicate_groups where id = ${id} and user_id = ${userId} and ${isPresent}`.execute(db);
  if (rows.length === 0) throw createNoGroupError();
};

const createNoGroupError = (): NotFoundError => new NotFoundError('group of duplicates');

const readGroups = async (db: Database, groups: RawBuilder<unknown>): Promise<DuplicateGroup[]> => {
  const { rows } = await sql<GroupRow>`
    select "groupId", "itemCount", "trashedCount", "isReviewed", revision, item.*, ${isListedItemShared} as is_shared
    from (${groups}) as page
      left join lateral (
        select media_item_id, score from picture_hashes
        where group_id = "groupId" and visibility = 'visible'
        order by score desc, media_item_id limit ${sql.lit(maxDuplicatesShown)}) as best on true
      left join media_items as item on item.id = best.media_item_id
    order by "groupId" desc, best.score desc, best.media_item_id`.execute(db);
  return [...Map.groupBy(rows, ({ groupId }) => groupId)].map(([id, [first, ...others]]) => {
    const { itemCount, trashedCount, isReviewed, revision } = first!;
    return { id, itemCount, trashedCount, isReviewed, revision, best: [first!, ...others].filter(isItem) };
  });
};

const isItem = <Row extends object>(row: Row): row is Row & ListedItem => (row as { id?: unknown }).id !== null;

/**
 * Returns a page of a group's visible photos, best first, with their total number and the group's revision.
 * @throws NotFoundError like `getDuplicateGroup`
 */
export const listDuplicates = async (
  db: Database,
  userId: string,
  groupId: string,
  limit: number,
  after: MemberPosition | undefined,
): Promise<CursorPage<ListedItem, MemberPosition> & { readonly totalCount: number; readonly revision: string }> => {
  const { rows } = await sql<GroupRow & { readonly score: number }>`
    select ${groupColumns}, item.*, page.score, ${isListedItemShared} as is_shared
    from duplicate_groups as duplicate_group
      left join lateral (
        select media_item_id, score from picture_hashes
        where group_id = duplicate_group.id and visibility = 'visible' and ${isAfterMember(after)}
        order by score desc, media_item_id limit ${sql.lit(limit + 1)}) as page on true
      left join media_items as item on item.id = page.media_item_id
    where duplicate_group.id = ${hideFromPlanner(groupId, 'uuid')} and duplicate_group.user_id = ${hideFromPlanner(userId, 'uuid')} and ${isPresent}
    order by page.score desc, page.media_item_id`.execute(prepared(db, 'duplicate_items', limit + 1));
  if (rows[0] === undefined) throw createNoGroupError();
  return {
    totalCount: rows[0].itemCount,
    revision: rows[0].revision,
    ...cutPage(rows.filter(isItem), limit, ({ score, id }) => ({ score, id })),
  };
};

/** Continues a mixed sort order. Written so that the index scan starts at the position. */
const isAfterMember = (after: MemberPosition | undefined): RawBuilder<boolean> => {
  const score = hideFromPlanner(String(after?.score ?? Number.MAX_SAFE_INTEGER), 'bigint');
  const id = hideFromPlanner(after?.id ?? firstId, 'uuid');
  return sql`score <= ${score} and (score < ${score} or media_item_id > ${id})`;
};
