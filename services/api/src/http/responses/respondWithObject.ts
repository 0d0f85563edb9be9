import type { Request } from 'express';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';
import { matchesEtag } from './matchesEtag.ts';
import { filePolicy } from './secureHeaders.ts';

/** Headers of a response with an object's bytes. */
export interface ObjectResponse {
  readonly type: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
  /** Called with the stored object, or undefined if missing, before the response starts. May throw to reject. */
  readonly inspect?: ((found: ObjectInfo | undefined) => Promise<void>) | undefined;
}

/**
 * Responds with an object: all bytes, a range, or 304 if the client has it.
 * @throws NotFoundError if the object does not exist
 * @throws AppError RANGE_NOT_SATISFIABLE
 */
export const respondWithObject = async (
  objects: ObjectStore,
  key: string,
  req: Request,
  { type, contentDisposition, cacheControl, inspect }: ObjectResponse,
) => {
  const info = await objects.stat(key).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    await inspect?.(undefined);
    throw new NotFoundError('file');
  });
  await inspect?.(info);
  const etag = `"${info.sizeBytes.toString(36)}-${info.modifiedAt.getTime().toString(36)}"`;
  const headers = { ETag: etag, 'Cache-Control': cacheControl };
  req.res?.set('Content-Security-Policy', filePolicy);
  if (matchesEtag(req.headers['if-none-match'], etag)) return { status: 304 as const, headers };

  req.res?.set('Content-Disposition', contentDisposition);
  // A range has no meaning for HEAD (RFC 9110, 14.2).
  const range = req.method === 'GET' ? getRange(req, info, etag) : undefined;
  const length = range === undefined ? info.sizeBytes : range.last - range.first + 1;
  const body = { type, length, open: () => objects.open(key, range) };
  if (range === undefined) return { status: 200 as const, headers: { ...headers, 'Accept-Ranges': 'bytes' }, body };
  const contentRange = `bytes ${range.first}-${range.last}/${info.sizeBytes}`;
  return {
    status: 206 as const,
    headers: { ...headers, 'Accept-Ranges': 'bytes', 'Content-Range': contentRange },
    body,
  };
};

/**
 * Returns the requested range. Undefined for a response with the whole object: without a range, with several or invalid
 * ones (RFC 9110, 14.2), or if `If-Range` names another version. A suffix longer than the object is cut to its length.
 */
const getRange = (req: Request, info: ObjectInfo, etag: string): { first: number; last: number } | undefined => {
  const ifRange = req.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(req.headers.range ?? '') ?? [];
  if ((first === '' && last === '') || (first !== '' && last !== '' && Number(last) < Number(first))) return undefined;
  const end = info.sizeBytes - 1;
  const range =
    first === ''
      ? { first: Math.max(0, info.sizeBytes - Number(last)), last: end }
      : { first: Number(first), last: last === '' ? end : Math.min(Number(last), end) };
  if (range.first <= end) return range;
  req.res?.set('Content-Range', `bytes */${info.sizeBytes}`);
  throw new AppError('RANGE_NOT_SATISFIABLE');
};
