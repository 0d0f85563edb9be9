import {
  getDuplicateGroup,
  listDuplicateGroups,
  listDuplicates as listRows,
  type ListedItem,
  type GroupPosition,
  type MemberPosition,
  type DuplicateGroup as Group,
} from './queries.ts';
import {
  dismissDuplicates as dismissGroup,
  resolveDuplicates as resolveGroup,
  restoreDuplicates as restoreGroup,
} from './reviewDuplicates.ts';
import type { Handlers } from '../../http/handle.ts';
import { viewListed, type ItemView } from '../../lists/itemView.ts';
import { nextPageLink, createCursors } from '../../lists/listPage.ts';
import { presentMediaItem } from '../../lists/mediaItem.ts';
import { z } from 'zod';
import { Id } from '../../lists/positions.ts';
import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';

const listDuplicates: Handlers['listDuplicates'] = async ({ db, links }, { query, user, req }) => {
  const { reviewed, limit, cursor } = query;
  const listCursors = reviewed ? duplicateCursors.reviewed : duplicateCursors.waiting;
  const after = cursor === undefined ? undefined : listCursors.decode(cursor);
  const { entries, next } = await listDuplicateGroups(db, user.userId, reviewed, limit, after);
  const view = viewListed(
    links,
    user,
    entries.flatMap(({ best }) => listSharedIds(best)),
  );
  return {
    status: 200,
    headers: { Link: nextPageLink(listCursors, next, req.originalUrl) },
    body: entries.map((group) => presentDuplicateGroup(view, group)),
  };
};

const getDuplicates: Handlers['getDuplicates'] = async ({ db, links }, { params, user }) => {
  const group = await getDuplicateGroup(db, user.userId, params.id);
  return { status: 200, body: presentDuplicateGroup(viewListed(links, user, listSharedIds(group.best)), group) };
};

const listDuplicateMediaItems: Handlers['listDuplicateMediaItems'] = async (
  { db, links },
  { params, query: { limit, cursor }, user, req },
) => {
  const listCursors = duplicateCursors.items;
  const after = cursor === undefined ? undefined : listCursors.decode(cursor);
  const { entries, next, totalCount, revision } = await listRows(db, user.userId, params.id, limit, after);
  const view = viewListed(links, user, listSharedIds(entries));
  return {
    status: 200,
    headers: {
      'X-Total-Count': totalCount,
      'X-Revision': revision,
      Link: nextPageLink(listCursors, next, req.originalUrl),
    },
    body: entries.map((row) => presentMediaItem(view, row)),
  };
};

const listSharedIds = (items: readonly ListedItem[]): string[] =>
  items.filter((item) => item.is_shared).map(({ id }) => id);

const resolveDuplicates: Handlers['resolveDuplicates'] = async ({ db }, { params, body, user }) => {
  const { moved, isComplete } = await resolveGroup(db, user.userId, params.id, body.keep, body.revision);
  return { status: 200, body: { trashed: moved, isComplete } };
};

const dismissDuplicates: Handlers['dismissDuplicates'] = async ({ db }, { params, body, user }) => {
  await dismissGroup(db, user.userId, params.id, body.revision);
  return { status: 204 };
};

const restoreDuplicates: Handlers['restoreDuplicates'] = async ({ db }, { params, user }) => {
  const { moved, isComplete } = await restoreGroup(db, user.userId, params.id);
  return { status: 200, body: { restored: moved, isComplete } };
};

export const duplicateHandlers = {
  listDuplicates,
  getDuplicates,
  listDuplicateMediaItems,
  resolveDuplicates,
  dismissDuplicates,
  restoreDuplicates,
} satisfies Partial<Handlers>;

/** Cursors of groups, and of the items of one group. */
const duplicateCursors = {
  waiting: createCursors<GroupPosition>('duplicates', z.strictObject({ id: Id })),
  reviewed: createCursors<GroupPosition>('reviewed duplicates', z.strictObject({ id: Id })),
  items: createCursors<MemberPosition>('items of duplicates', z.strictObject({ score: z.int().min(0), id: Id })),
} as const;

/** Converts a group to its API form. */
const presentDuplicateGroup = (
  view: ItemView,
  { id, itemCount, trashedCount, isReviewed, revision, best }: Group,
): DuplicateGroup => ({
  id,
  mediaItemsCount: itemCount,
  mediaItems: best.map((row) => presentMediaItem(view, row)),
  reviewed: isReviewed,
  trashedCount,
  revision,
});
