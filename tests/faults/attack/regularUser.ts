import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { Photo } from '@hearth/testkit/hearth/photos.ts';
import {
  describeResponse,
  makeForm,
  sendForJson,
  signIn,
  uploadOnce,
  type Credentials,
} from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

/** Durations of each activity of a regular user, in ms. */
export interface RegularUserTimes {
  /** From the first byte of the upload until the photo is READY. */
  readonly ready: number[];
  readonly list: number[];
  readonly signIn: number[];
}

/** A user who uses the library normally during the attack. */
export interface RegularUser {
  readonly times: RegularUserTimes;
  /** Messages for wrong responses. */
  readonly problems: string[];
  /** Uploads a photo. Resolves when it is READY. */
  upload(photo: Photo): Promise<string>;
  /** Requests lists in turn and signs in from time to time, until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

const pauseMs = { status: 50, list: 200, signIn: 5_000 } as const;

/** Timeout for a photo to become READY, in ms. */
const timeoutMs = 120_000;

const listPaths = [
  '/v1/mediaItems?limit=100',
  '/v1/albums',
  '/v1/timeline',
  '/v1/explore/places',
  '/v1/favourites',
] as const;

/** Creates a regular user and signs in for the first time. */
export const openRegularUser = async (url: string, credentials: Credentials): Promise<RegularUser> => {
  const times: RegularUserTimes = { ready: [], list: [], signIn: [] };
  const problems: string[] = [];
  let token: string | undefined;
  /** Measures `work`. Errors are recorded as problems and do not stop the drill. */
  const measure = async <Result>(stored: number[], work: () => Promise<Result>): Promise<Result | undefined> => {
    const begunAt = performance.now();
    const result = await work().catch((error: unknown) => void problems.push(String(error)));
    stored.push(performance.now() - begunAt);
    return result ?? undefined;
  };
  const refreshToken = async (): Promise<void> => {
    token = (await measure(times.signIn, () => signIn(url, credentials))) ?? token;
  };
  await refreshToken();
  return {
    times,
    problems,
    upload: async ({ filename, bytes }) => {
      const begunAt = performance.now();
      const response = await uploadOnce(url, token ?? '', makeForm(filename, bytes));
      if (response.status !== 201) throw new Error(describeResponse('an upload', response));
      const { id } = JSON.parse(response.text) as MediaItem;
      const isReady = async (): Promise<boolean> => {
        const { status } = await sendForJson<MediaItem>(url, `/v1/mediaItems/${id}`, { token });
        if (status === 'FAILED') throw new Error('it is FAILED');
        return status === 'READY';
      };
      try {
        await waitFor(`${filename} is READY`, isReady, { timeoutMs, everyMs: pauseMs.status });
      } catch (error) {
        problems.push(`${filename}: ${(error as Error).message}`);
        return id;
      }
      times.ready.push(performance.now() - begunAt);
      return id;
    },
    run: async (signal) => {
      const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
      const list = async (): Promise<void> => {
        for (let index = 0; !signal.aborted; index++) {
          await measure(times.list, () => sendForJson(url, listPaths[index % listPaths.length]!, { token }));
          await pause(pauseMs.list);
        }
      };
      const keepSigningIn = async (): Promise<void> => {
        for (; !signal.aborted; await pause(pauseMs.signIn)) await refreshToken();
      };
      await Promise.all([list(), keepSigningIn()]);
    },
  };
};
