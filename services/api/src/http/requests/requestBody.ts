import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { AppError } from '@hearth/core/log/errors.ts';

/** Returns true if the request has a body, read or not. */
export const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Returns true if part of the body has not been read yet. */
export const isBodyPending = (req: Request): boolean => !req.complete && hasBody(req);

/** Bytes of a request as they arrive. */
export interface IncomingBytes {
  /** Ends without an error, even if the client disconnects or the upload is ended early. */
  readonly body: AsyncIterable<Buffer>;
  /** Throws if fewer bytes arrived than announced. Call it after `body` has ended. */
  readonly assertComplete: () => void;
}

/** Error for an incomplete body. The client is usually gone. */
const createIncompleteBodyError = (): AppError => new AppError('MALFORMED_REQUEST', 'the body is incomplete');

/** Returns a signal that aborts when the client disconnects before it has sent everything. */
export const clientGone = (req: Request): AbortSignal => {
  const gone = new AbortController();
  const abortIfIncomplete = (): void => {
    if (!req.complete) gone.abort(createIncompleteBodyError());
  };
  if (req.destroyed) abortIfIncomplete();
  else req.once('close', abortIfIncomplete);
  return gone.signal;
};

/**
 * Returns the body as a stream that ends without an error, even if the client disconnects or `ending` is aborted, after
 * all received bytes. Does not destroy the request, so that a response is still possible.
 */
export const receiveBytes = (req: Request, ending: AbortSignal): IncomingBytes => {
  const body = new PassThrough({ highWaterMark: 256 * 1024 });
  let isWhole = false;
  const stop = (): void => {
    req.unpipe(body);
    body.end();
  };
  req.once('end', () => {
    isWhole = !body.writableEnded;
  });
  req.once('error', stop).once('close', stop);
  ending.addEventListener('abort', stop);
  if (ending.aborted || req.destroyed) stop();
  else req.pipe(body);
  return {
    body,
    assertComplete: () => {
      if (!isWhole) throw ending.aborted ? (ending.reason as Error) : createIncompleteBodyError();
    },
  };
};
