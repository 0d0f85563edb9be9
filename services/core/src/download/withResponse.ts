import * as http from 'node:http';
import * as https from 'node:https';
import { proxyEnvironment } from '../config/configureProcess.ts';
import { DownloadError, toDownloadError } from './downloadError.ts';

/** Limits on a download, in ms. */
export interface DownloadLimits {
  /** Time to open a connection, with TLS. */
  readonly connectMs: number;
  /** Time without a byte. */
  readonly stallMs: number;
  /** Total time, with redirects and retries. */
  readonly totalMs: number;
}

export const defaultLimits: DownloadLimits = { connectMs: 10_000, stallMs: 30_000, totalMs: 3_600_000 };

/** A GET request. */
export interface DownloadRequest {
  readonly url: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Refuses redirects to other hosts. */
  readonly isHostFixed?: boolean;
  readonly limits: DownloadLimits;
  /** Aborts the request; its reason is thrown. */
  readonly signal: AbortSignal;
}

const maxRedirects = 5;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a GET request, follows redirects, and passes the final response to `use`, which reads the body and calls
 * `onBytes` for each chunk. Closes the connection when `use` returns. Uses the proxies in HTTP_PROXY, HTTPS_PROXY and
 * NO_PROXY. Must not use `fetch`, see [the decision](../../../../docs/docs/decisions/own-tools.md).
 * @throws DownloadError if the server or the network fails; otherwise what `use` throws
 */
export const withResponse = async <Result>(
  request: DownloadRequest,
  use: (response: http.IncomingMessage, onBytes: () => void) => Promise<Result>,
): Promise<Result> => {
  let url = new URL(request.url);
  const { connectMs, stallMs } = request.limits;
  using stall = startTimer(stallMs, () => `${url.host} sent nothing for ${stallMs / 1_000} seconds: try again later`);
  const signal = AbortSignal.any([stall.signal, request.signal]);
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(url, request.headers, connectMs, signal);
      try {
        const target = getRedirectTarget(url, response, request.isHostFixed ?? false);
        if (target === undefined) return await use(response, stall.refresh);
        if (redirects === maxRedirects)
          throw new DownloadError(`${url.host} redirects more than ${maxRedirects} times: check the URL`, {
            isFinal: true,
          });
        url = target;
        stall.refresh();
      } finally {
        response.destroy();
      }
    }
  } catch (error) {
    throw toDownloadError(url, signal.aborted ? signal.reason : error);
  }
};

/** Starts a timer whose signal aborts with a DownloadError after `ms` without a refresh. */
export const startTimer = (ms: number, describe: () => string) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DownloadError(describe())), ms);
  return {
    signal: controller.signal,
    refresh: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
};

const send = async (
  url: URL,
  headers: http.OutgoingHttpHeaders | undefined,
  connectMs: number,
  signal: AbortSignal,
): Promise<http.IncomingMessage> => {
  using connecting = startTimer(
    connectMs,
    () => `${url.host} did not open a connection within ${connectMs / 1_000} seconds: check that it runs`,
  );
  const { Agent, get } = url.protocol === 'https:' ? https : http;
  return await new Promise((resolve, reject) => {
    const sent = get(url, {
      agent: new Agent({ proxyEnv: proxyEnvironment() }),
      headers: { 'user-agent': 'hearth', 'accept-encoding': 'identity', ...headers },
      signal: AbortSignal.any([signal, connecting.signal]),
    });
    sent
      // The request is flushed once the connection is open.
      .once('finish', connecting[Symbol.dispose])
      .once('response', resolve)
      // Keeps listening: errors after the response, such as invalid chunks, also end its body.
      .on('error', (error) => reject(connecting.signal.aborted ? connecting.signal.reason : error))
      // Closed without a response or an error, as after status 101.
      .once('close', () => reject(new DownloadError(`${url.host} sent no response: check the URL`)));
  });
};

/** Returns the target of a redirect; undefined for other responses. */
const getRedirectTarget = (url: URL, response: http.IncomingMessage, isHostFixed: boolean): URL | undefined => {
  const { statusCode = 0, headers } = response;
  if (!redirectStatuses.has(statusCode)) return undefined;
  const refuse = (why: string): never => {
    throw new DownloadError(`${url.host} redirects ${why}`, { isFinal: true });
  };
  const target = URL.parse(headers.location ?? '', url.href);
  if (target === null || headers.location === undefined) return refuse('to no valid address: check its configuration');
  if (!/^https?:$/.test(target.protocol) || (url.protocol === 'https:' && target.protocol === 'http:'))
    return refuse(`to ${target.protocol}//${target.host}, which is not HTTPS: use a URL that does not redirect`);
  if (isHostFixed && target.hostname !== url.hostname)
    return refuse(`to ${target.host}, which HEARTH_OFFLINE forbids: set that host as the mirror`);
  return target;
};
