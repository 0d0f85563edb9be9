import { addAbortListener } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

/** How the API server is reached. */
export interface TransportSettings {
  /** `https://host:port`; `http://` for `kubectl proxy`. */
  readonly url: string;
  /** PEM file of the authority that signs the server's certificate; the system's authorities where none is named. */
  readonly caFile: string | undefined;
  /** File of the bearer token, which is replaced from time to time; none where the server wants none. */
  readonly tokenFile: string | undefined;
  /** Milliseconds without a byte after which a watch counts as broken; bookmarks come about once a minute. */
  readonly silenceMs: number;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of a patch. */
  readonly contentType?: string;
  /** Milliseconds for the whole answer; `answerMs` unless given. */
  readonly timeoutMs?: number;
  /** Has connections of its own, so that it never waits behind others. */
  readonly isUrgent?: boolean;
}

/** Requests to the API server. */
export interface Transport {
  /** @throws ApiError where the server refuses, Error where it is away or does not answer in time */
  ask<Answer>(request: ApiRequest): Promise<Answer>;
  /**
   * The lines of an answer that goes on, until it ends.
   * @throws as `ask`, and where no byte comes for `silenceMs`
   */
  lines(request: ApiRequest, signal: AbortSignal): AsyncIterable<string>;
  close(): void;
}

/** Milliseconds for a whole answer. */
const answerMs = 10_000;

/** Most requests at once, watches aside, and as many urgent ones. */
const maxSockets = 16;

/** Most bytes of one answer, and of one line of a watch. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Milliseconds for which the token and the authority are not read again. */
const credentialsMs = 60_000;

/** What the API server refused. */
export class ApiError extends Error {
  readonly status: number;
  /** For how long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the API server said that. */
export const isApiError = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

export const openTransport = (
  settings: TransportSettings,
  onAnswer: (method: string, status: number) => void,
): Transport => {
  const isTls = settings.url.startsWith('https:');
  const openAgent = (): HttpAgent => new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets });
  const [agent, urgentAgent] = [openAgent(), openAgent()];
  const credentials = cached(credentialsMs, async () => ({
    ca: settings.caFile === undefined ? undefined : await readFile(settings.caFile),
    token: settings.tokenFile === undefined ? undefined : (await readFile(settings.tokenFile, 'utf8')).trim(),
  }));

  const send = async (
    { method, path, query, body, contentType = 'application/json' }: ApiRequest,
    options: { readonly agent?: HttpAgent; readonly timeout?: number; readonly signal: AbortSignal },
  ): Promise<IncomingMessage> => {
    const { ca, token } = await credentials();
    const url = new URL(path, settings.url);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    let answer: IncomingMessage | undefined;
    const request = (isTls ? requestHttps : requestHttp)(url, {
      method,
      ...(ca === undefined ? {} : { ca }),
      ...options,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'hearth-queue-scaler',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': contentType }),
      },
    });
    request
      .on('response', (response) => resolve((answer = response)))
      .on('error', reject)
      .on('timeout', () => {
        const silence = new Error(`the API server was silent for ${options.timeout} ms`);
        // Whoever reads the answer is told by it, and else by the request.
        (answer ?? request).destroy(silence);
      })
      .end(body === undefined ? undefined : JSON.stringify(body));
    // A request that still waits for a connection does not hear of the signal before it has one.
    const listener = addAbortListener(options.signal, () => reject(options.signal.reason as Error));
    try {
      const response = await promise;
      onAnswer(method, response.statusCode ?? 0);
      if (response.statusCode === undefined || response.statusCode >= 300)
        throw await refusalOf(response, `${method} ${path}`);
      return response;
    } catch (error) {
      if (!(error instanceof ApiError)) onAnswer(method, 0);
      throw error;
    } finally {
      listener[Symbol.dispose]();
    }
  };

  return {
    ask: async <Answer>(request: ApiRequest) => {
      const { timeoutMs = answerMs, isUrgent = false } = request;
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await send(request, { agent: isUrgent ? urgentAgent : agent, signal });
      return JSON.parse(await text(limited(response))) as Answer;
    },
    lines: async function* (request, signal) {
      const response = await send(request, { timeout: settings.silenceMs, signal });
      let line = '';
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
        const [first = '', ...more] = chunk.split('\n');
        line += first;
        if (line.length > maxAnswerBytes) throw new Error('the API server sends a line without end');
        for (const next of more) {
          if (line !== '') yield line;
          line = next;
        }
      }
    },
    close: () => {
      for (const each of [agent, urgentAgent]) each.destroy();
    },
  };
};

const refusalOf = async (response: IncomingMessage, what: string): Promise<ApiError> => {
  const { statusCode = 0, headers } = response;
  const seconds = Number(headers['retry-after']);
  const body = await text(limited(response)).catch(() => '');
  let message = body.slice(0, 200);
  try {
    message = (JSON.parse(body) as { message?: string }).message ?? message;
  } catch {
    // Not every refusal is from the API server itself.
  }
  return new ApiError(`${what}: ${statusCode} ${message}`, statusCode, seconds > 0 ? seconds * 1_000 : undefined);
};

const limited = async function* (response: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error(`the API server answered more than ${maxAnswerBytes} bytes`);
    yield chunk;
  }
};

/** Reads again after `ms`, or where reading failed. */
const cached = <Value>(ms: number, read: () => Promise<Value>): (() => Promise<Value>) => {
  let last: { readonly value: Promise<Value>; readonly at: number } | undefined;
  return async () => {
    if (last === undefined || performance.now() - last.at >= ms) last = { value: read(), at: performance.now() };
    try {
      return await last.value;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
};
