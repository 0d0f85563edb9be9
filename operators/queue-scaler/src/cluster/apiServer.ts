import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  HttpMethod,
  KubeConfig,
  Observable,
  RequestContext,
  type ApiType,
  type ConfigurationOptions,
} from '@kubernetes/client-node';
import { Agent, buildConnector, errors, request as sendRequest, type Dispatcher } from 'undici';
import { ApiError, toApiError } from './apiError.ts';

/** Connection settings for the API server. */
export interface ApiServerSettings {
  /** `https://host:port`; `http://` for `kubectl proxy`. */
  readonly url: string;
  /** PEM file of the CA that signs the server's certificate. Undefined uses the system's CAs. */
  readonly caFile: string | undefined;
  /** File with the bearer token, which Kubernetes rotates. Undefined for a server without authentication. */
  readonly tokenFile: string | undefined;
  /** Time without data after which a watch fails, in ms. The server sends a bookmark about once a minute. */
  readonly silenceMs: number;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** Access to the API server through the library's clients, with limits on time, size and connections. */
export interface ApiServer {
  /** Creates a client of the library. Urgent clients have their own connections, so that they never wait for other requests. */
  client<Api extends ApiType>(type: ApiConstructor<Api>, priority?: 'urgent'): Api;
  /**
   * Calls a client with options that limit the request to `timeoutMs`, including the wait for a connection.
   * @throws ApiError on an error response, Error on a timeout
   */
  request<Result>(call: (options: ConfigurationOptions) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /**
   * Resolves when the server ends the watch.
   * @throws errors of `onEvent`; ApiError on an error response; Error after `silenceMs` without data, on a line that is
   *   not JSON, and when `signal` is aborted
   */
  watch(path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

type ApiConstructor<Api extends ApiType> = Parameters<typeof KubeConfig.prototype.makeApiClient<Api>>[0];

/** Default timeout of a request, in milliseconds. */
const requestTimeoutMs = 10_000;

/** Maximum number of concurrent requests, counted separately for urgent ones. Watches are not limited. */
const connections = 16;

/** Maximum size of a response, and of all events of a watch, in bytes. */
const maxResponseSize = 64 * 1024 * 1024;

/** Opens access to the API server. Calls `onResponse` after each request, with status 0 if there was no response. */
export const openApiServer = (
  settings: ApiServerSettings,
  onResponse: (method: string, status: number) => void,
): ApiServer => {
  const connect = makeConnector(settings.caFile);
  const pool = new Agent({ connections, maxResponseSize, connect });
  const urgentPool = new Agent({ connections, maxResponseSize, connect });
  const watchPool = new Agent({ maxResponseSize, connect, headersTimeout: 0, bodyTimeout: settings.silenceMs });
  const [config, urgentConfig] = [new PooledConfig(settings, pool), new PooledConfig(settings, urgentPool)];

  return {
    client: (type, priority) => (priority === undefined ? config : urgentConfig).makeApiClient(type),
    request: async (call, timeoutMs = requestTimeoutMs) => {
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
        throw toApiError(error);
      } finally {
        onResponse(method, status);
      }
    },
    watch: async (path, onEvent, signal) => {
      const context = new RequestContext(new URL(path, settings.url).href, HttpMethod.GET);
      await config.applySecurityAuthentication(context);
      const silence = new Error(`the API server sent no data for ${settings.silenceMs} ms`);
      // undici's timeout for headers starts again with each 1xx response.
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(silence), settings.silenceMs);
      let status = 0;
      try {
        const limits = { dispatcher: watchPool, signal: AbortSignal.any([signal, waiting.signal]) };
        const response = await sendRequest(context.getUrl(), { headers: context.getHeaders(), ...limits });
        clearTimeout(timer);
        status = response.statusCode;
        await readEvents(response, path, onEvent);
      } catch (error) {
        throw error instanceof errors.BodyTimeoutError ? silence : error;
      } finally {
        clearTimeout(timer);
        onResponse('GET', status);
      }
    },
    close: () => {
      for (const agent of [pool, urgentPool, watchPool]) void agent.destroy();
    },
  };
};

const readEvents = async (
  { statusCode, body }: Dispatcher.ResponseData,
  path: string,
  onEvent: (event: WatchEvent) => void,
): Promise<void> => {
  // Without these handlers, an error after the end of the loop would end the process.
  const lines = createInterface(body.on('error', () => undefined)).on('error', () => undefined);
  try {
    if (statusCode !== 200) throw new ApiError(`watch ${path}: ${statusCode}`, statusCode);
    for await (const line of lines) onEvent(JSON.parse(line) as WatchEvent);
  } finally {
    body.destroy();
  }
};

/**
 * Makes the library use our connection pool. With a custom CA the library would create a pool per request and never
 * close it.
 */
class PooledConfig extends KubeConfig {
  readonly #pool: Dispatcher;

  constructor({ url, tokenFile }: ApiServerSettings, pool: Dispatcher) {
    super();
    this.#pool = pool;
    // The library accepts http:// only with skipTLSVerify.
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

/**
 * Reads the token for each request. The library's own reader would cache it for a minute of wall-clock time, and the clock
 * may be set back.
 */
const tokenReader = (file: string): Parameters<KubeConfig['addAuthenticator']>[0] => ({
  isAuthProvider: ({ authProvider }) => authProvider?.name === tokenProvider,
  applyAuthentication: async (_user, options) => {
    const token = (await readFile(file, 'utf8')).trim();
    options.headers = Object.assign({}, options.headers, { Authorization: `Bearer ${token}` });
  },
});

/** Reads the CA file for each connection, because the CA may be rotated too. */
export const makeConnector =
  (caFile: string | undefined): buildConnector.connector =>
  (options, callback) => {
    try {
      const ca = caFile === undefined ? {} : { ca: readFileSync(caFile) };
      buildConnector({ ...ca, keepAlive: true, keepAliveInitialDelay: 30_000 })(options, callback);
    } catch (error) {
      callback(error as Error, null);
    }
  };
