import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { AppError } from '@hearth/core/log/errors.ts';

/** True if a request has a body, read or not. */
export const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** True if a part of the body has not been read yet. */
export const isBodyComing = (req: Request): boolean => !req.complete && hasBody(req);

/** The bytes of one request, as they arrive. */
export interface IncomingBytes {
  /** Ends without an error if the client vanishes or the work has to end early. */
  readonly body: AsyncIterable<Buffer>;
  /** Throws the error to answer if fewer bytes arrived than the client announced; called when `body` has ended. */
  readonly assertWhole: () => void;
}

/** The error for a body that breaks off; the client is usually gone. */
const cutOff = (): AppError => new AppError('MALFORMED_REQUEST', 'the body is not whole');

/** Aborted when the client vanishes before it has sent everything. */
export const clientGone = (req: Request): AbortSignal => {
  const gone = new AbortController();
  const look = (): void => {
    if (!req.complete) gone.abort(cutOff());
  };
  if (req.destroyed) look();
  else req.once('close', look);
  return gone.signal;
};

/**
 * The body of a request as bytes that end without an error, even if the client vanishes or `ending` is aborted; all bytes received by then
 * are delivered. The request is not destroyed, so that it can be answered.
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
    assertWhole: () => {
      if (!isWhole) throw ending.aborted ? (ending.reason as Error) : cutOff();
    },
  };
};
