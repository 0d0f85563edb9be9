import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { Credentials } from './hearth.ts';
import type { Photo } from './photos.ts';

/** Milliseconds of each thing that somebody does who wants nothing but their photos. */
export interface FamilyTimes {
  /** From the first byte of the upload until the photo is READY. */
  readonly ready: number[];
  readonly list: number[];
  readonly signIn: number[];
}

/** Somebody beside whom others are hostile. */
export interface FamilyMember {
  readonly times: FamilyTimes;
  /** What was answered that is no right answer. */
  readonly problems: string[];
  /** Uploads a photo, and resolves when it is READY. */
  upload(photo: Photo): Promise<string>;
  /** Looks at lists, one after another, and signs in from time to time, until `signal` is aborted. */
  live(signal: AbortSignal): Promise<void>;
}

const pauseMs = { status: 50, list: 200, signIn: 5_000 } as const;

/** Milliseconds after which a photo counts as never READY, and an answer as never given. */
const patienceMs = { ready: 120_000, answer: 60_000 } as const;

const lists = [
  '/v1/mediaItems?limit=100',
  '/v1/albums',
  '/v1/timeline',
  '/v1/explore/places',
  '/v1/favourites',
] as const;

/** A request without its token. */
type Asked = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Signs in, for the first time. */
export const openFamilyMember = async (url: string, credentials: Credentials): Promise<FamilyMember> => {
  const times: FamilyTimes = { ready: [], list: [], signIn: [] };
  const problems: string[] = [];
  let token = '';
  const ask = async (path: string, init: Asked = {}): Promise<{ status: number; text: string }> => {
    const response = await fetch(new URL(path, url), {
      ...init,
      headers: { ...init.headers, ...(token !== '' && { Authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(patienceMs.answer),
    });
    return { status: response.status, text: await response.text() };
  };
  /** Counts what it takes; an answer that is none of the expected is a problem, and no answer to go on with. */
  const timed = async (kept: number[], path: string, init?: Asked): Promise<string | undefined> => {
    const begunAt = performance.now();
    const answer = await ask(path, init).catch((error: unknown) => ({ status: 0, text: String(error) }));
    kept.push(performance.now() - begunAt);
    if (answer.status === 200) return answer.text;
    problems.push(`${path} answered ${answer.status}: ${answer.text}`);
    return undefined;
  };
  const signIn = async (): Promise<void> => {
    const body = JSON.stringify(credentials);
    const headers = { 'Content-Type': 'application/json' };
    const text = await timed(times.signIn, '/v1/auth/login', { method: 'POST', headers, body });
    if (text !== undefined) ({ accessToken: token } = JSON.parse(text) as { accessToken: string });
  };
  await signIn();
  return {
    times,
    problems,
    upload: async ({ filename, bytes }) => {
      const body = new FormData();
      body.append('file', new Blob([bytes]), filename);
      const begunAt = performance.now();
      const { status, text } = await ask('/v1/mediaItems', { method: 'POST', body });
      if (status !== 201) throw new Error(`an upload was answered ${status}: ${text}`);
      const { id } = JSON.parse(text) as MediaItem;
      for (let is = ''; is !== 'READY'; await sleep(is === 'READY' ? 0 : pauseMs.status)) {
        ({ status: is } = JSON.parse((await ask(`/v1/mediaItems/${id}`)).text) as MediaItem);
        if (is === 'FAILED' || performance.now() - begunAt > patienceMs.ready) {
          problems.push(`${filename} is ${is} after ${Math.round(performance.now() - begunAt)} ms`);
          return id;
        }
      }
      times.ready.push(performance.now() - begunAt);
      return id;
    },
    live: async (signal) => {
      const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
      const list = async (): Promise<void> => {
        for (let turn = 0; !signal.aborted; turn++) {
          await timed(times.list, lists[turn % lists.length]!);
          await pause(pauseMs.list);
        }
      };
      const goOnSigningIn = async (): Promise<void> => {
        for (; !signal.aborted; await pause(pauseMs.signIn)) await signIn();
      };
      await Promise.all([list(), goOnSigningIn()]);
    },
  };
};
