import { z } from 'zod';
import type { PageOf } from '../database/pages.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/** Paging parameters of a request. */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Encodes and decodes the cursors of one list. A cursor contains the list's name and the position it continues after.
 */
export interface Cursors<Position> {
  encode(position: Position): string;
  /** @throws AppError VALIDATION_FAILED if the text is not a valid cursor of this list */
  decode(cursor: string): Position;
}

/** Creates the cursors of a list. A list in another order needs another name, so that it rejects these cursors. */
export const createCursors = <Position>(list: string, position: z.ZodType<Position>): Cursors<Position> => ({
  encode: (at) => Buffer.from(JSON.stringify([list, at])).toString('base64url'),
  decode: (cursor) => {
    const parsed = z
      .tuple([z.literal(list), position])
      .safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
    if (!parsed.success) throw createCursorError();
    return parsed.data[1];
  },
});

/** Returns the requested page: after the cursor if given, otherwise by number. */
export const pageIn = <Position>(cursors: Cursors<Position>, { page, limit, cursor }: PageQuery): PageOf<Position> => ({
  limit,
  start: cursor === undefined ? { number: page } : { after: cursors.decode(cursor) },
});

/** Returns the `Link` header with the address of the next page, or undefined on the last page. */
export const nextPageLink = <Position>(
  cursors: Cursors<Position>,
  next: Position | undefined,
  requestUrl: string,
): string | undefined => (next === undefined ? undefined : linkToCursor(cursors.encode(next), requestUrl));

/** Builds the `Link` header: the request's address with a cursor instead of the page number. */
export const linkToCursor = (cursor: string, requestUrl: string): string => {
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.delete('page');
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
};

export const createCursorError = (): AppError =>
  new AppError('VALIDATION_FAILED', undefined, {
    errors: [{ path: 'query.cursor', message: 'is not a valid cursor of this list' }],
  });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
