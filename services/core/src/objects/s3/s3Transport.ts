import { EventEmitter } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientOptions } from 'minio';

/** Timeouts of requests. A transfer may take any time while bytes move. */
export interface S3Timeouts {
  /** Time to open a connection, in ms. */
  readonly connectMs: number;
  /** Time without a byte in either direction, in ms. */
  readonly silenceMs: number;
}

export const defaultTimeouts: S3Timeouts = { connectMs: 5_000, silenceMs: 30_000 };

/** Time to keep an idle connection, in ms. Shorter than stores and proxies keep it (at least 5 s). */
const idleMs = 4_000;

const maxIdleConnections = 16;

/** Statuses of a busy store, in addition to 5xx. The client would drop their message and report “retries failed”. */
const busyStatuses = new Set([408, 429, 499]);

/**
 * Delays before retries of a write rejected because of a concurrent request (409), in ms. VersityGW (tested with
 * 1.8.0) rejects about one in a hundred writes while the last other object with the same prefix is deleted.
 */
const conflictWaitsMs = [10, 50, 250];

/**
 * Sends the requests of the S3 client. Adds timeouts and errors with the store's message, which the client lacks.
 * Repeats a request on a new connection if the store closed the idle one just before. Also repeats a write that was
 * rejected because of a concurrent request. Bodies must be buffers.
 */
export const createS3Transport = (
  isSecure: boolean,
  timeouts: S3Timeouts,
): Pick<ClientOptions, 'transport' | 'transportAgent'> => {
  const { Agent, request } = isSecure ? https : http;
  const send = async (options: http.RequestOptions, body: unknown): Promise<http.IncomingMessage> => {
    for (const waitMs of conflictWaitsMs) {
      const response = await sendRequest(request, options, body, timeouts);
      if (response.statusCode !== 409 || options.method !== 'PUT') return response;
      response.resume();
      await delay(waitMs * (0.5 + Math.random()));
    }
    return sendRequest(request, options, body, timeouts);
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

const sendRequest = async (
  request: typeof http.request,
  options: http.RequestOptions,
  body: unknown,
  { connectMs, silenceMs }: S3Timeouts,
): Promise<http.IncomingMessage> => {
  const sent = request({ ...options, timeout: silenceMs });
  sent.once('timeout', () => sent.destroy(new Error(`no data from the store for ${silenceMs / 1_000} seconds`)));
  sent.once('socket', (socket) => limitConnecting(sent, socket, connectMs));
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject).end(body);
    });
    if (isBusy(response)) throw await toResponseError(response);
    return response;
  } catch (error) {
    // The connection was closed before use: the store has not seen the request.
    if (!sent.reusedSocket || !isRepeatable(options) || !isReset(error)) throw error;
    return sendRequest(request, { ...options, agent: false }, body, { connectMs, silenceMs });
  }
};

const limitConnecting = (sent: http.ClientRequest, socket: Socket, connectMs: number): void => {
  if (!socket.connecting) return;
  const timer = setTimeout(
    () => sent.destroy(new Error(`connection timeout after ${connectMs / 1_000} seconds`)),
    connectMs,
  );
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
};

const isBusy = ({ statusCode = 0 }: http.IncomingMessage): boolean => statusCode >= 500 || busyStatuses.has(statusCode);

const toResponseError = async (response: http.IncomingMessage): Promise<Error> => {
  const storeMessage = await text(response);
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)<`).exec(storeMessage)?.[1]);
  const reason = [code ?? response.statusMessage, message].filter((each) => each !== undefined).join(': ');
  return Object.assign(new Error(`status ${response.statusCode} ${reason}`), {
    statusCode: response.statusCode,
  });
};

/** Returns true if the other side has closed the connection. */
export const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Returns false for the completion of a multipart upload: the response to a second one would hide the success of the
 * first.
 */
const isRepeatable = ({ method, path }: http.RequestOptions): boolean =>
  method !== 'POST' || path?.includes('uploadId=') === false;
