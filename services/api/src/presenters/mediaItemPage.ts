import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { ListPosition, MediaItemPage, OwnItemPage, Page } from '@hearth/core/db/mediaItemLists.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { SessionUser } from '@hearth/core/db/sessions.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Links } from '../links.ts';
import { viewListed } from './itemView.ts';
import { presentMediaItem } from './mediaItem.ts';

/** Where a request enters a list. */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Which page a request asks for: the one behind its cursor, with one item more, which tells whether another page follows; else the one with its number. */
export const pageOf = ({ page, limit, cursor }: PageQuery): Page =>
  cursor === undefined
    ? { limit, start: { number: page } }
    : { limit: limit + 1, start: { after: decodeCursor(cursor) } };

/** The headers of every list of media items: how many there are, and where the next page begins. */
export const itemPageHeaders = (found: MediaItemPage, query: PageQuery, requestUrl: string) => {
  const isLast =
    query.cursor === undefined ? query.page * query.limit >= found.totalCount : found.items.length <= query.limit;
  const items = found.items.slice(0, query.limit);
  return { 'X-Total-Count': found.totalCount, Link: isLast ? undefined : nextLink(items, requestUrl) };
};

/** The answer of every list of a user's media items. */
export const presentMediaItemPage = (
  links: Links,
  user: Pick<SessionUser, 'features'>,
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
  if (last === undefined) return undefined;
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.delete('page');
  url.searchParams.set('cursor', encodeCursor({ localTime: last.local_time, id: last.id }));
  return `<${url.pathname}${url.search}>; rel="next"`;
};

const encodeCursor = ({ localTime, id }: ListPosition): string =>
  Buffer.from(`${localTime} ${id}`).toString('base64url');

const cursorText =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const decodeCursor = (cursor: string): ListPosition => {
  const [, localTime = '', id = ''] = cursorText.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (Number.isNaN(Date.parse(`${localTime}Z`)) || !isCalendarDate(localTime)) {
    const message = 'is not a cursor of this list';
    throw new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: 'query.cursor', message }] });
  }
  return { localTime, id };
};

/** `Date` takes the 31st of February for a day in March; PostgreSQL refuses it, and year 0. */
const isCalendarDate = (localTime: string): boolean =>
  new Date(`${localTime}Z`).toISOString().startsWith(localTime.slice(0, 19)) && !localTime.startsWith('0000');
