import { EventEmitter } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientOptions } from 'minio';

/** How long to wait for a store. A transfer may take any time, as long as bytes move. */
export interface S3Patience {
  /** Milliseconds until a connection must be open. */
  readonly connectMs: number;
  /** Milliseconds without a byte in either direction until a request has failed. */
  readonly silenceMs: number;
}

export const defaultPatience: S3Patience = { connectMs: 5_000, silenceMs: 30_000 };

/** Milliseconds that an idle connection is kept: less than stores and proxies keep it (5 s and more). */
const idleMs = 4_000;

/** Idle connections at most. */
const maxIdleConnections = 16;

/** Statuses that mean “not now”, besides 5xx. The client would answer them with “retries failed” and drop what they say. */
const busyStatuses = new Set([408, 429, 499]);

/**
 * Milliseconds until a write is sent again that the store has refused because of another request (409). VersityGW refuses about one in a
 * hundred writes while the last other object below the same prefix is removed (tried with 1.8.0).
 */
const conflictWaitsMs = [10, 50, 250];

/**
 * How the S3 client sends its requests: with timeouts, which it lacks; with an error that holds the store's message; and a second time, on
 * a new connection, where the store closed an idle connection a moment before it was used. A write that was refused because of another
 * request is repeated. Bodies are buffers.
 */
export const s3Transport = (
  isSecure: boolean,
  patience: S3Patience,
): Pick<ClientOptions, 'transport' | 'transportAgent'> => {
  const { Agent, request } = isSecure ? https : http;
  const send = async (options: http.RequestOptions, body: unknown): Promise<http.IncomingMessage> => {
    for (const waitMs of conflictWaitsMs) {
      const response = await exchange(request, options, body, patience);
      if (response.statusCode !== 409 || options.method !== 'PUT') return response;
      response.resume();
      await delay(waitMs * (0.5 + Math.random()));
    }
    return exchange(request, options, body, patience);
  };
  return {
    transportAgent: new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdleConnections }),
    transport: {
      request: ((options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) =>
        Object.assign(new EventEmitter(), {
          end(this: EventEmitter, body: unknown) {
            send(options, body).then(onResponse, (error: unknown) => this.emit('error', error));
          },
        })) as unknown as typeof http.request,
    },
  };
};

const exchange = async (
  request: typeof http.request,
  options: http.RequestOptions,
  body: unknown,
  { connectMs, silenceMs }: S3Patience,
): Promise<http.IncomingMessage> => {
  const sent = request({ ...options, timeout: silenceMs });
  sent.once('timeout', () => sent.destroy(new Error(`the store was silent for ${silenceMs / 1_000} seconds`)));
  sent.once('socket', (socket) => limitConnecting(sent, socket, connectMs));
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject).end(body);
    });
    if (isBusy(response)) throw await asError(response);
    return response;
  } catch (error) {
    // The connection was closed before it was used: no store has seen the request.
    if (!sent.reusedSocket || !isRepeatable(options) || !isReset(error)) throw error;
    return exchange(request, { ...options, agent: false }, body, { connectMs, silenceMs });
  }
};

const limitConnecting = (sent: http.ClientRequest, socket: Socket, connectMs: number): void => {
  if (!socket.connecting) return;
  const timer = setTimeout(
    () => sent.destroy(new Error(`no connection within ${connectMs / 1_000} seconds`)),
    connectMs,
  );
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
};

const isBusy = ({ statusCode = 0 }: http.IncomingMessage): boolean => statusCode >= 500 || busyStatuses.has(statusCode);

const asError = async (response: http.IncomingMessage): Promise<Error> => {
  const said = await text(response);
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)<`).exec(said)?.[1]);
  const reason = [code ?? response.statusMessage, message].filter((each) => each !== undefined).join(': ');
  return Object.assign(new Error(`the store answered ${response.statusCode} ${reason}`), {
    statusCode: response.statusCode,
  });
};

/** Whether an error means that the other side has closed the connection. */
export const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** A completed multipart upload cannot be completed again: the second answer would hide that the first was a success. */
const isRepeatable = ({ method, path }: http.RequestOptions): boolean =>
  method !== 'POST' || path?.includes('uploadId=') === false;
