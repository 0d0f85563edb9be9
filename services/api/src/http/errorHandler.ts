import type { ErrorRequestHandler, Request, Response } from 'express';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { asDatabaseError } from '@hearth/core/db/database.ts';
import { AppError, UnavailableError } from '@hearth/core/log/errors.ts';
import { createStorageFullError } from '@hearth/core/disk/diskSpace.ts';
import { isNoSpace, StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../deps/deps.ts';
import { encodeJson } from './responses/encodeJson.ts';
import { isBodyPending } from './requests/requestBody.ts';
import { getLoggedPath, getRequestId } from './requests/requestLog.ts';

/** The only place that converts errors to responses. Logs and hides internal errors. */
export const errorHandler =
  (deps: Deps): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const appError = toAppError(error);
    const context = { err: error as unknown, requestId: req.id, method: req.method, path: getLoggedPath(req) };
    if (appError.code === 'INTERNAL') deps.log.error(context, 'request failed');
    else if (appError.code === 'UNAVAILABLE') deps.log.warn(context, 'request rejected; a dependency is unavailable');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (appError.code === 'UNAUTHORIZED' && !res.hasHeader('WWW-Authenticate')) res.set('WWW-Authenticate', 'Bearer');
    if (appError.retryAfterSeconds !== undefined) res.set('Retry-After', String(appError.retryAfterSeconds));
    res.status(appError.status);
    const body = encodeJson(res, toErrorBody(appError, req));
    if (isBodyPending(req)) respondEarly(req, res, body);
    else res.end(body);
  };

const toErrorBody = (error: AppError, req: Request): ErrorBody => ({
  message: error.message,
  code: error.code,
  requestId: getRequestId(req),
  ...(error.errors !== undefined && { errors: error.errors.map(({ path, message }) => ({ path, message })) }),
});

/** Time to drain a rejected body, in ms. */
const drainMs = 5_000;

/**
 * Responds while the body still arrives, and closes the connection later. Bytes that arrive at a closed connection
 * cause a reset, which discards the response at the client (RFC 9112, 9.6). The client knows from its length that the
 * response is complete. The connection closes when the body ends, or after `drainMs`.
 */
const respondEarly = (req: Request, res: Response, body: Buffer): void => {
  res.set('Connection', 'close');
  res.write(body);
  const end = (): void => {
    clearTimeout(timeout);
    res.end();
  };
  const timeout = setTimeout(end, drainMs);
  req.unpipe();
  req.once('end', end).once('close', end).resume();
};

const toAppError = (error: unknown): AppError => {
  const known = asDatabaseError(error);
  if (known instanceof AppError) return known;
  if (isNoSpace(error)) return createStorageFullError(error);
  if (error instanceof StoreError) return new UnavailableError('the object store', error);
  return fromExpressError(error) ?? new AppError('INTERNAL', undefined, { cause: error });
};

const invalidPathError = (cause: unknown): AppError => {
  const message = 'is not percent-encoded UTF-8';
  return new AppError('MALFORMED_REQUEST', undefined, { cause, errors: [{ path: 'path', message }] });
};

/** Errors of Express and its body parser have an HTTP status. */
const fromExpressError = (error: unknown): AppError | undefined => {
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 400 && error instanceof URIError) return invalidPathError(error);
  if (status === 400) return new AppError('MALFORMED_REQUEST', undefined, { cause: error });
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', undefined, { cause: error });
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', undefined, { cause: error });
  return undefined;
};
