import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@hearth/contract/jobs.ts';
import type { MediaItem, MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { JobStatus } from '@hearth/contract/vocabulary.ts';
import type { Photo } from './photos.ts';
import {
  describeResponse,
  makeForm,
  send,
  type HttpResponse,
  type RequestOptions,
  type Credentials,
} from './request.ts';

/** Counters of a client. */
export interface ClientFigures {
  /** Number of retries after no response, a broken response, or a 5xx. */
  retries: number;
  logins: number;
  /** Uploads with status 200: the photo was already stored. */
  duplicates: number;
  /** Error responses that a killed or unavailable server does not explain, with their bodies. */
  readonly unexcused: string[];
}

/** A client that retries failed requests. */
export interface Client {
  readonly figures: ClientFigures;
  /** Returns an access token, for requests without this client. */
  token(): Promise<string>;
  /** Uploads a photo, with retries. Returns the item's id. */
  upload(photo: Pick<Photo, 'filename' | 'bytes'>): Promise<string>;
  get(id: string): Promise<MediaItemDetails>;
  /** Reads all items by following the links from page to page. `totalCount` comes with the first page. */
  list(): Promise<{ readonly items: MediaItem[]; readonly totalCount: number }>;
  /** Fetches a signed link or another URL, without a token. */
  fetchLink(link: string): Promise<Response>;
  /** Creates a job and returns its id. */
  createJob(components: readonly string[]): Promise<string>;
  getJob(id: string): Promise<Job>;
  putJob(id: string, status: JobStatus): Promise<void>;
}

/** Timeout of a request, in ms. */
const responseTimeoutMs = 20_000;

/** Timeout of reading a file, in ms. */
const fileTimeoutMs = 300_000;

/** Time after which a request is not retried any more, in ms. */
const timeoutMs = 120_000;

/** Delay between attempts in ms: the first, and the maximum after doubling. */
const pauseMs = { first: 50, max: 1_000 } as const;

/**
 * Opens a client that signs in when it first needs a token. It retries failed requests for two minutes, or until `signal`
 * is aborted.
 */
export const openClient = (
  url: string,
  { username, password }: Credentials,
  signal: AbortSignal = new AbortController().signal,
): Client => {
  const figures: ClientFigures = { retries: 0, logins: 0, duplicates: 0, unexcused: [] };
  let token: string | undefined;

  /** Retries until a complete response has a status below 500. A connection may also break within a body. */
  const requestUntilDone = async (path: string, request: RequestOptions): Promise<HttpResponse> => {
    const giveUpAt = Date.now() + timeoutMs;
    for (let pause: number = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.max)) {
      signal.throwIfAborted();
      const response = await send(url, path, { ...request, timeoutMs: responseTimeoutMs }).catch(
        (error: Error) => error,
      );
      if (!(response instanceof Error) && response.status < 500) return response;
      const last = response instanceof Error ? response.message : describeResponse(path, response);
      // 503 means that a dependency is unavailable; other 5xx are errors of the server.
      if (!(response instanceof Error) && response.status !== 503) figures.unexcused.push(last);
      if (Date.now() > giveUpAt) throw new Error(`request failed for ${timeoutMs / 1_000} s: ${last}`);
      figures.retries += 1;
      await sleep(pause * (0.5 + Math.random()), undefined, { signal });
    }
  };

  const logIn = async (): Promise<string> => {
    figures.logins += 1;
    const path = '/v1/auth/login';
    const response = await requestUntilDone(path, { method: 'POST', body: { username, password } });
    if (response.status !== 200) throw new Error(describeResponse(path, response));
    return (JSON.parse(response.text) as { accessToken: string }).accessToken;
  };

  const request = async (path: string, init: RequestOptions = {}): Promise<HttpResponse> => {
    for (let hasFreshToken = false; ;) {
      token ??= await logIn();
      const used = token;
      const response = await requestUntilDone(path, { ...init, token: used });
      if (response.status === 401 && !hasFreshToken) {
        if (token === used) token = undefined;
        hasFreshToken = true;
        continue;
      }
      if (response.status >= 300) throw new Error(describeResponse(path, response));
      return response;
    }
  };
  const requestJson = async <Body>(path: string, init?: RequestOptions): Promise<Body> =>
    JSON.parse((await request(path, init)).text) as Body;

  return {
    figures,
    token: logIn,
    upload: async ({ filename, bytes }) => {
      const { status, text } = await request('/v1/mediaItems', { method: 'POST', body: makeForm(filename, bytes) });
      if (status === 200) figures.duplicates += 1;
      return (JSON.parse(text) as { id: string }).id;
    },
    get: (id) => requestJson(`/v1/mediaItems/${id}`),
    list: async () => {
      const items: MediaItem[] = [];
      let totalCount = NaN;
      for (let path: string | undefined = '/v1/mediaItems?limit=100'; path !== undefined;) {
        const { text, headers } = await request(path);
        if (items.length === 0) totalCount = Number(headers.get('x-total-count'));
        items.push(...(JSON.parse(text) as MediaItem[]));
        path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      return { items, totalCount };
    },
    fetchLink: async (link) =>
      fetch(new URL(link, url), { signal: AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]) }),
    createJob: async (components) => (await requestJson<Job>('/v1/jobs', { method: 'POST', body: { components } })).id,
    getJob: (id) => requestJson(`/v1/jobs/${id}`),
    putJob: async (id, status) => void (await request(`/v1/jobs/${id}`, { method: 'PUT', body: { status } })),
  };
};
