import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  KubeConfig,
  Observable,
  Watch,
  type ApiType,
  type ConfigurationOptions,
  type RequestContext,
} from '@kubernetes/client-node';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { ApiError, describeError } from './apiError.ts';
import { guardLines } from './lineGuard.ts';

/** How the API server is reached. */
export interface ApiServerSettings {
  /** `https://host:port`; `http://` for `kubectl proxy`. */
  readonly url: string;
  /** PEM file of the authority that signs the server's certificate; the system's authorities where none is named. */
  readonly caFile: string | undefined;
  /** File of the bearer token, which is replaced from time to time; none where the server wants none. */
  readonly tokenFile: string | undefined;
  /** Milliseconds without a byte after which a watch counts as broken; bookmarks come about once a minute. */
  readonly silenceMs: number;
}

/** What a watch tells of. */
export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** The API server as the library knows it, with bounds on time, bytes and connections. */
export interface ApiServer {
  /** Clients of the library. Urgent ones have connections of their own, so that they never wait behind others. */
  client<Api extends ApiType>(type: ApiConstructor<Api>, howUrgent?: 'urgent'): Api;
  /**
   * Calls a client with the options that bound it to `timeoutMs`, waiting for a connection included.
   * @throws ApiError where the server refuses, Error where it is away or does not answer in time
   */
  ask<Answer>(call: (options: ConfigurationOptions) => Promise<Answer>, timeoutMs?: number): Promise<Answer>;
  /**
   * Resolves when the server ends the watch, or `signal` is aborted.
   * @throws what `onEvent` throws; ApiError where the server refuses, Error where no byte comes for `silenceMs`
   */
  watch(
    path: string,
    query: Readonly<Record<string, string>>,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void>;
  close(): void;
}

type ApiConstructor<Api extends ApiType> = Parameters<typeof KubeConfig.prototype.makeApiClient<Api>>[0];

/** Milliseconds for a whole answer. */
const answerMs = 10_000;

/** Most requests at once, watches aside, and as many urgent ones. */
const connections = 16;

/** Most bytes of one answer. */
const maxResponseSize = 64 * 1024 * 1024;

/** `onAnswer` is told of each answer; the status is 0 where there was none. */
export const openApiServer = (
  settings: ApiServerSettings,
  onAnswer: (method: string, status: number) => void,
): ApiServer => {
  const connect = connectorOf(settings.caFile);
  const pool = new Agent({ connections, maxResponseSize, connect });
  const urgentPool = new Agent({ connections, maxResponseSize, connect });
  // The library itself looks for silence in watches.
  const watchPool = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  const [config, urgentConfig] = [new PooledConfig(settings, pool), new PooledConfig(settings, urgentPool)];
  const watchConfig = new PooledConfig(settings, watchPool.compose(guardLines));

  return {
    client: (type, howUrgent) => (howUrgent === undefined ? config : urgentConfig).makeApiClient(type),
    ask: async (call, timeoutMs = answerMs) => {
      let [method, status] = ['', 0];
      const middleware = {
        pre: (request: RequestContext) => {
          method = request.getHttpMethod();
          request.setSignal(AbortSignal.timeout(timeoutMs));
          return new Observable(Promise.resolve(request));
        },
        post: <Response extends { readonly httpStatusCode: number }>(response: Response) => {
          status = response.httpStatusCode;
          return new Observable(Promise.resolve(response));
        },
      };
      try {
        return await call({ middleware: [middleware], middlewareMergeStrategy: 'append' });
      } catch (error) {
        throw describeError(error);
      } finally {
        onAnswer(method, status);
      }
    },
    watch: async (path, query, onEvent, signal) => {
      try {
        await watchOnce(watchConfig, settings.silenceMs, { path, query, onEvent, signal });
        onAnswer('GET', 200);
      } catch (error) {
        const { statusCode: status, name } = error as Error & { readonly statusCode?: number };
        onAnswer('GET', status ?? 0);
        if (status !== undefined) throw new ApiError(`watch ${path}: ${status}`, status);
        if (name !== 'TimeoutError') throw error;
        throw new Error(`the API server was silent for ${settings.silenceMs} ms`, { cause: error });
      }
    },
    close: () => {
      for (const each of [pool, urgentPool, watchPool]) void each.destroy();
    },
  };
};

/** Asks the library with connections that are kept: it opens a pool of its own for each request where a cluster names an authority, and none is closed. */
class PooledConfig extends KubeConfig {
  readonly #pool: Dispatcher;

  constructor({ url, tokenFile }: ApiServerSettings, pool: Dispatcher) {
    super();
    this.#pool = pool;
    // The library speaks http:// only where it is told to skip what there is nothing of.
    const cluster = { name: 'cluster', server: url.replace(/\/$/, ''), skipTLSVerify: url.startsWith('http:') };
    const user = { name: 'user', ...(tokenFile === undefined ? {} : { authProvider: { name: tokenProvider } }) };
    this.loadFromClusterAndUser(cluster, user);
    if (tokenFile !== undefined) this.addAuthenticator(tokenReader(tokenFile));
  }

  override async applySecurityAuthentication(request: RequestContext): Promise<void> {
    await super.applySecurityAuthentication(request);
    request.setDispatcher(this.#pool);
  }
}

const tokenProvider = 'hearth-token-file';

/** Reads the token for each request: the library keeps it for a minute of a clock that may be set back by more than it is valid. */
const tokenReader = (file: string): Parameters<KubeConfig['addAuthenticator']>[0] => ({
  isAuthProvider: ({ authProvider }) => authProvider?.name === tokenProvider,
  applyAuthentication: async (_user, options) => {
    const token = (await readFile(file, 'utf8')).trim();
    options.headers = Object.assign({}, options.headers, { Authorization: `Bearer ${token}` });
  },
});

/** Opens connections to a server whose authority is read for each of them, since it may be replaced too. */
export const connectorOf =
  (caFile: string | undefined): buildConnector.connector =>
  (options, callback) => {
    try {
      const ca = caFile === undefined ? {} : { ca: readFileSync(caFile) };
      buildConnector({ ...ca, keepAlive: true, keepAliveInitialDelay: 30_000 })(options, callback);
    } catch (error) {
      callback(error as Error, null);
    }
  };

interface WatchOptions {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly onEvent: (event: WatchEvent) => void;
  readonly signal: AbortSignal;
}

const watchOnce = async (
  config: KubeConfig,
  silenceMs: number,
  { path, query, onEvent, signal }: WatchOptions,
): Promise<void> => {
  const ended = Promise.withResolvers<void>();
  // It may come before anybody waits for it.
  ended.promise.catch(() => undefined);
  const stopping = new AbortController();
  const watch = new Watch(config);
  // Half a minute unless it is set, which is less than the server is silent between two bookmarks; there is no option for it.
  Reflect.set(watch, 'requestTimeoutMs', silenceMs);
  const tell = (type: string, object: unknown): void => {
    if (stopping.signal.aborted) return;
    try {
      onEvent({ type, object });
    } catch (error) {
      // The library would go on as if nothing had happened.
      ended.reject(error);
      stopping.abort();
    }
  };
  const request = await watch.watch(path, query, tell, (error) => {
    if (error === null || error === undefined || signal.aborted) ended.resolve();
    else ended.reject(error);
  });
  const stop = (): void => request.abort();
  for (const each of [signal, stopping.signal]) {
    if (each.aborted) stop();
    else each.addEventListener('abort', stop, { once: true });
  }
  try {
    await ended.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
