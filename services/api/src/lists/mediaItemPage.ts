import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { ListPosition, MediaItemPage, OwnItemPage, Page } from './mediaItemLists.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { SessionUser } from '../accounts/sessions.ts';
import type { Links } from '../links/links.ts';
import { viewListed } from './itemView.ts';
import { createCursorError, linkToCursor, type PageQuery } from './listPage.ts';
import { presentMediaItem } from './mediaItem.ts';
import { WallClock } from './positions.ts';

/**
 * Returns the requested page: by number, or after the cursor with one extra item, which shows if another page follows.
 */
export const toPage = ({ page, limit, cursor }: PageQuery): Page =>
  cursor === undefined
    ? { limit, start: { number: page } }
    : { limit: limit + 1, start: { after: decodeCursor(cursor) } };

/** Returns the headers of every list of media items: total count and link to the next page. */
export const itemPageHeaders = (found: MediaItemPage, query: PageQuery, requestUrl: string) => {
  const isLast =
    query.cursor === undefined ? query.page * query.limit >= found.totalCount : found.items.length <= query.limit;
  const items = found.items.slice(0, query.limit);
  return { 'X-Total-Count': found.totalCount, Link: isLast ? undefined : nextLink(items, requestUrl) };
};

/** Builds the response of every list of a user's media items. */
export const presentMediaItemPage = (
  links: Links,
  user: Pick<SessionUser, 'features' | 'linkEpoch'>,
  found: OwnItemPage,
  query: PageQuery,
  requestUrl: string,
) => {
  const items = found.items.slice(0, query.limit);
  const view = viewListed(links, user, found.sharedIds);
  return {
    status: 200 as const,
    headers: itemPageHeaders(found, query, requestUrl),
    body: items.map((row) => presentMediaItem(view, row)) satisfies MediaItem[],
  };
};

const nextLink = (items: readonly MediaItemRow[], requestUrl: string): string | undefined => {
  const last = items.at(-1);
  return last && linkToCursor(encodeCursor({ localTime: last.local_time, id: last.id }), requestUrl);
};

/** Encodes a position in a list of media items as a cursor. */
export const encodeCursor = ({ localTime, id }: ListPosition): string =>
  Buffer.from(`${localTime} ${id}`).toString('base64url');

const cursorText = /^(\S+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Decodes a cursor.
 * @throws AppError VALIDATION_FAILED if it is not a cursor of a media item list
 */
export const decodeCursor = (cursor: string): ListPosition => {
  const [, localTime = '', id = ''] = cursorText.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (!WallClock.safeParse(localTime).success) throw createCursorError();
  return { localTime, id };
};
