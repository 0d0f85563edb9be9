import type { Request } from 'express';
import { AppError, NotFoundError } from '@hearth/core/errors.ts';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';
import { matchesEtag } from './matchesEtag.ts';
import { filePolicy } from './secureHeaders.ts';

/** What an answer with the bytes of an object says besides. */
export interface ObjectAnswer {
  readonly type: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

/**
 * The answer to whoever may have an object: its bytes, a range of them, or that the client has them already.
 * @throws NotFoundError where there is no such object; AppError RANGE_NOT_SATISFIABLE
 */
export const answerWithObject = async (
  objects: ObjectStore,
  key: string,
  req: Request,
  { type, contentDisposition, cacheControl }: ObjectAnswer,
) => {
  const info = await objects.stat(key).catch((error: unknown) => {
    throw isNotFound(error) ? new NotFoundError('file') : error;
  });
  const etag = `"${info.sizeBytes.toString(36)}-${info.modifiedAt.getTime().toString(36)}"`;
  const headers = { ETag: etag, 'Cache-Control': cacheControl };
  req.res?.set('Content-Security-Policy', filePolicy);
  if (matchesEtag(req.headers['if-none-match'], etag)) return { status: 304 as const, headers };

  req.res?.set('Content-Disposition', contentDisposition);
  // RFC 9110, 14.2: of a HEAD a range means nothing.
  const range = req.method === 'GET' ? rangeOf(req, info, etag) : undefined;
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
 * The one range that a request asks for; undefined for the whole object, as for several ranges and for what is no valid
 * range (RFC 9110, 14.2). A suffix longer than the object is all of it.
 */
const rangeOf = (req: Request, info: ObjectInfo, etag: string): { first: number; last: number } | undefined => {
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
