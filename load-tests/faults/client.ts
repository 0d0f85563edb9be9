import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaItem, MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { Credentials } from './hearth.ts';
import type { Photo } from './photos.ts';

/** What a client has met with. */
export interface ClientFigures {
  /** Requests that were sent again: no answer, a broken one, or 5xx. */
  retries: number;
  logins: number;
  /** Uploads that were answered 200: the bytes were there already. */
  duplicates: number;
  /** Answers that no fault of the surroundings excuses, each with its body. */
  readonly unexcused: string[];
}

/** A client of a person's library that does not give up. */
export interface Client {
  readonly figures: ClientFigures;
  /** An access token, for requests that are made past this client. */
  token(): Promise<string>;
  /** Uploads a photo, again and again until it is answered, and answers the item's id. */
  upload(photo: Photo): Promise<string>;
  get(id: string): Promise<MediaItemDetails>;
  /** All items by the links from page to page, and the count that came with the first page. */
  list(): Promise<{ readonly items: MediaItem[]; readonly totalCount: number }>;
  /** The answer to a signed link or another address, without a token. */
  fetchLink(link: string): Promise<Response>;
}

/** Milliseconds after which a request without an answer counts as lost. */
const answerTimeoutMs = 20_000;

/** Milliseconds that reading a file may take. */
const fileTimeoutMs = 300_000;

/** Milliseconds of trying after which the server counts as gone for good. */
const patienceMs = 120_000;

/** Pauses between tries in milliseconds: the first, and the longest after doubling. */
const pauseMs = { first: 50, longest: 1_000 } as const;

/**
 * Opens a client, which logs in when it first needs a token. Whatever network or server do to it, it tries again, until
 * `signal` is aborted.
 */
export const openClient = (url: string, credentials: Credentials, signal: AbortSignal): Client => {
  const figures: ClientFigures = { retries: 0, logins: 0, duplicates: 0, unexcused: [] };
  let token: string | undefined;

  /** Answers the first answer below 500, its body read; a broken connection may break in the middle of a body too. */
  const persist = async (path: string, init: () => RequestInit): Promise<Answer> => {
    const giveUpAt = Date.now() + patienceMs;
    for (let pause: number = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.longest)) {
      signal.throwIfAborted();
      const answer = await exchange(new URL(path, url), init());
      if (answer instanceof Error || answer.status >= 500) {
        // 503 says that a dependency is away; any other 5xx that the server met with something it did not foresee.
        if (!(answer instanceof Error) && answer.status !== 503) figures.unexcused.push(describe(path, answer));
        const last = answer instanceof Error ? answer.message : describe(path, answer);
        if (Date.now() > giveUpAt) throw new Error(`no answer in ${patienceMs / 1_000} s, at last: ${last}`);
        figures.retries += 1;
        await sleep(pause * (0.5 + Math.random()), undefined, { signal });
        continue;
      }
      return answer;
    }
  };

  const logIn = async (): Promise<string> => {
    figures.logins += 1;
    const answer = await persist('/v1/auth/login', () => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    }));
    if (answer.status !== 200) throw new Error(describe('/v1/auth/login', answer));
    return (JSON.parse(answer.text) as { accessToken: string }).accessToken;
  };

  const ask = async (path: string, expected: readonly number[], init: RequestInit = {}): Promise<Answer> => {
    for (let hasFreshToken = false; ;) {
      token ??= await logIn();
      const used = token;
      const answer = await persist(path, () => ({ ...init, headers: { Authorization: `Bearer ${used}` } }));
      if (answer.status === 401 && !hasFreshToken) {
        if (token === used) token = undefined;
        hasFreshToken = true;
        continue;
      }
      if (!expected.includes(answer.status)) throw new Error(describe(path, answer));
      return answer;
    }
  };

  return {
    figures,
    token: logIn,
    upload: async ({ filename, bytes }) => {
      const body = new FormData();
      body.append('file', new Blob([bytes]), filename);
      const { status, text } = await ask('/v1/mediaItems', [200, 201], { method: 'POST', body });
      if (status === 200) figures.duplicates += 1;
      return (JSON.parse(text) as { id: string }).id;
    },
    get: async (id) => JSON.parse((await ask(`/v1/mediaItems/${id}`, [200])).text) as MediaItemDetails,
    list: async () => {
      const items: MediaItem[] = [];
      let totalCount = NaN;
      for (let path: string | undefined = '/v1/mediaItems?limit=100'; path !== undefined;) {
        const { text, headers } = await ask(path, [200]);
        if (items.length === 0) totalCount = Number(headers.get('x-total-count'));
        items.push(...(JSON.parse(text) as MediaItem[]));
        path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      return { items, totalCount };
    },
    fetchLink: async (link) =>
      fetch(new URL(link, url), { signal: AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]) }),
  };
};

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const exchange = async (url: URL, init: RequestInit): Promise<Answer | Error> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerTimeoutMs) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    return error as Error;
  }
};

const describe = (path: string, { status, text }: Answer): string => `${path} answered ${status}: ${text}`;
