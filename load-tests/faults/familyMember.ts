import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { Photo } from '../harness/photos.ts';
import { describeAnswer, formOf, send, type Answer, type Ask, type Credentials } from '../harness/request.ts';

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

/** Milliseconds after which a photo counts as never READY. */
const patienceMs = 120_000;

const lists = [
  '/v1/mediaItems?limit=100',
  '/v1/albums',
  '/v1/timeline',
  '/v1/explore/places',
  '/v1/favourites',
] as const;

/** Signs in, for the first time. */
export const openFamilyMember = async (url: string, credentials: Credentials): Promise<FamilyMember> => {
  const times: FamilyTimes = { ready: [], list: [], signIn: [] };
  const problems: string[] = [];
  let token: string | undefined;
  const ask = (path: string, init: Ask = {}): Promise<Answer> => send(url, path, { token, ...init });
  /** Counts what it takes; an answer that is none of the expected is a problem, and no answer to go on with. */
  const timed = async (kept: number[], path: string, init?: Ask): Promise<string | undefined> => {
    const begunAt = performance.now();
    const answer = await ask(path, init).catch((error: unknown) => ({ status: 0, text: String(error) }));
    kept.push(performance.now() - begunAt);
    if (answer.status === 200) return answer.text;
    problems.push(`${path} answered ${answer.status}: ${answer.text}`);
    return undefined;
  };
  const signIn = async (): Promise<void> => {
    const { username, password } = credentials;
    const init = { method: 'POST', token: undefined, body: { username, password } };
    const text = await timed(times.signIn, '/v1/auth/login', init);
    if (text !== undefined) ({ accessToken: token } = JSON.parse(text) as { accessToken: string });
  };
  await signIn();
  return {
    times,
    problems,
    upload: async ({ filename, bytes }) => {
      const begunAt = performance.now();
      const answer = await ask('/v1/mediaItems', { method: 'POST', body: formOf(filename, bytes) });
      if (answer.status !== 201) throw new Error(describeAnswer('an upload', answer));
      const { id } = JSON.parse(answer.text) as MediaItem;
      for (let is = ''; is !== 'READY'; await sleep(is === 'READY' ? 0 : pauseMs.status)) {
        ({ status: is } = JSON.parse((await ask(`/v1/mediaItems/${id}`)).text) as MediaItem);
        if (is === 'FAILED' || performance.now() - begunAt > patienceMs) {
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
