import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { ErrorBody } from '@hearth/contract/errors.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/**
 * Answers requests in the documented shape that Node cannot parse, or would answer itself.
 * @param headers lines that every answer has
 */
export const answerBrokenRequests = (server: Server, headers: readonly string[]): void => {
  const lastAnswers = new WeakMap<Socket, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Once an answer has begun, only the end of the connection can tell of an error.
    const answer = lastAnswers.get(socket);
    const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(ofParser(error.code ?? ''), headers));
  });
  // Node would answer 417 without a body; a server may ignore an unknown expectation (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.prependListener('request', (req, res) => {
    lastAnswers.set(req.socket, res);
    req.url = originForm(req.url ?? '*');
  });
};

/** Refuses a request without a host, as RFC 9112 (3.2) asks; Node's own answer to it has no body. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const isMissing = req.headers.host === undefined && req.httpVersion === '1.1';
  next(isMissing ? malformed('headers.Host', 'the request names no host') : undefined);
};

/** A client may write `GET http://host/path` (RFC 9112, 3.2.2); a target that is no address becomes one that no route has. */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url?.pathname.startsWith('/') ? url.pathname + url.search : '*';
};

const malformed = (path: string, message?: string): AppError => {
  const error = new AppError('MALFORMED_REQUEST', message);
  return new AppError('MALFORMED_REQUEST', message, { errors: [{ path, message: error.message }] });
};

/** The error for a code of Node's HTTP parser. https://nodejs.org/api/errors.html */
const ofParser = (code: string): AppError => {
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new AppError('PAYLOAD_TOO_LARGE');
  }
  if (code === 'HPE_INVALID_URL') return malformed('path');
  return malformed(code.includes('CHUNK') ? 'body' : 'headers');
};

/** An answer as text, written without Express; the connection is closed after it. */
export const rawAnswer = (
  { status, code, message, errors, retryAfterSeconds }: AppError,
  headers: readonly string[],
): string => {
  const requestId = randomUUID();
  const said = errors && { errors: errors.map((each) => ({ path: each.path, message: each.message })) };
  const body = JSON.stringify({ message, code, requestId, ...said } satisfies ErrorBody);
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
