import { AppError } from '@hearth/core/errors.ts';

/** The cursor that leads behind an entry of a list, by what tells its place there. */
export const encodeKeyset = (...parts: readonly string[]): string => Buffer.from(parts.join(' ')).toString('base64url');

/**
 * What tells the place that a cursor leads to; undefined where there is none.
 * @param pattern which places there are, with a group for each part
 * @throws AppError VALIDATION_FAILED where it is no cursor of this list
 */
export const decodeKeyset = (cursor: string | undefined, pattern: RegExp): readonly string[] | undefined => {
  if (cursor === undefined) return undefined;
  const found = pattern.exec(Buffer.from(cursor, 'base64url').toString());
  if (found !== null) return found.slice(1);
  const message = 'is not a cursor of this list';
  throw new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: 'query.cursor', message }] });
};

/** The address of the page behind a cursor, if there is one. */
export const keysetLink = (cursor: string | undefined, requestUrl: string): string | undefined => {
  if (cursor === undefined) return undefined;
  const url = new URL(requestUrl, 'http://host');
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
};
