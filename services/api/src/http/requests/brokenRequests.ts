import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/**
 * Responds in the documented shape to requests that Node cannot parse or would handle itself.
 * @param headers header lines of every response
 */
export const respondToBrokenRequests = (server: Server, headers: readonly string[]): void => {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Once a response has started, only closing the connection can signal an error.
    const response = lastResponses.get(socket);
    const isResponding = response !== undefined && response.headersSent && !response.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isResponding) {
      socket.destroy();
      return;
    }
    socket.end(formatResponse(fromParserError(error.code ?? ''), headers));
  });
  // Node would respond 417 without a body. A server may ignore an unknown expectation (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.prependListener('request', (req, res) => {
    lastResponses.set(req.socket, res);
    req.url = toOriginForm(req.url ?? '*');
  });
};

/** Rejects an HTTP/1.1 request without Host (RFC 9112, 3.2). Node's own response has no body. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const isMissing = req.headers.host === undefined && req.httpVersion === '1.1';
  next(isMissing ? createMalformedError('headers.Host', 'missing Host header') : undefined);
};

/**
 * Converts absolute-form targets such as `GET http://host/path` (RFC 9112, 3.2.2). Invalid targets become one that
 * matches no route.
 */
const toOriginForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url?.pathname.startsWith('/') ? url.pathname + url.search : '*';
};

const createMalformedError = (path: string, message?: string): AppError => {
  const error = new AppError('MALFORMED_REQUEST', message);
  return new AppError('MALFORMED_REQUEST', message, { errors: [{ path, message: error.message }] });
};

/** Maps an error code of Node's HTTP parser: https://nodejs.org/api/errors.html. */
const fromParserError = (code: string): AppError => {
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new AppError('PAYLOAD_TOO_LARGE');
  }
  if (code === 'HPE_INVALID_URL') return createMalformedError('path');
  return createMalformedError(code.includes('CHUNK') ? 'body' : 'headers');
};

/** Formats a response as text, without Express. It closes the connection. */
export const formatResponse = (
  { status, code, message, errors, retryAfterSeconds }: AppError,
  headers: readonly string[],
): string => {
  const requestId = randomUUID();
  const details = errors && { errors: errors.map((each) => ({ path: each.path, message: each.message })) };
  const body = JSON.stringify({ message, code, requestId, ...details } satisfies ErrorBody);
  return [
    `HTTP/1.1 ${status} ${message}`,
    'Connection: close',
    ...headers,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
};
