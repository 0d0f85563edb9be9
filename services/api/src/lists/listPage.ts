import { z } from 'zod';
import type { PageOf } from '../database/pages.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/** Where a request enters a list. */
export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Writes and reads the cursors of one list. A cursor names its list and the entry that it stands behind, nothing else. */
export interface Cursors<Position> {
  encode(position: Position): string;
  /** @throws AppError VALIDATION_FAILED if the text is no cursor of this list */
  decode(cursor: string): Position;
}

/** The cursors of the list with this name. A list in another order needs another name, so that it refuses these cursors. */
export const cursorsOf = <Position>(list: string, position: z.ZodType<Position>): Cursors<Position> => ({
  encode: (at) => Buffer.from(JSON.stringify([list, at])).toString('base64url'),
  decode: (cursor) => {
    const parsed = z
      .tuple([z.literal(list), position])
      .safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
    if (!parsed.success) throw brokenCursor();
    return parsed.data[1];
  },
});

/** Which page a request asks for: the one behind its cursor, else the one with its number. */
export const pageIn = <Position>(cursors: Cursors<Position>, { page, limit, cursor }: PageQuery): PageOf<Position> => ({
  limit,
  start: cursor === undefined ? { number: page } : { after: cursors.decode(cursor) },
});

/** The `Link` header of a page: the address of the next page, if there is one. */
export const nextPageLink = <Position>(
  cursors: Cursors<Position>,
  next: Position | undefined,
  requestUrl: string,
): string | undefined => (next === undefined ? undefined : linkToCursor(cursors.encode(next), requestUrl));

/** The address of a request, with a cursor where it had a page. */
export const linkToCursor = (cursor: string, requestUrl: string): string => {
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.delete('page');
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
};

/** The error for a text that is no cursor of the list. */
export const brokenCursor = (): AppError =>
  new AppError('VALIDATION_FAILED', undefined, {
    errors: [{ path: 'query.cursor', message: 'is not a cursor of this list' }],
  });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
