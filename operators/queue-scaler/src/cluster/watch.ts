import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, isApiError } from './apiError.ts';
import { checkObject } from './checkResponse.ts';
import type { WatchEvent } from './apiServer.ts';
import type { List, ObjectMeta } from '../api/objects.ts';

export interface WatchOptions<Item extends { readonly metadata: ObjectMeta }> {
  readonly list: () => Promise<List<Item>>;
  readonly watch: (
    resourceVersion: string,
    seconds: number,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Called with all objects after each list. */
  readonly onList: (items: readonly Item[]) => void;
  readonly onChange: (type: 'ADDED' | 'MODIFIED' | 'DELETED', item: Item) => void;
  /** Called before each retry. */
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly timings?: WatchTimings;
}

/** All in milliseconds. */
export interface WatchTimings {
  /** Time between two lists. A lost watch event is made good after this time. */
  readonly relistMs: number;
  /** The first back-off. It doubles with each failure in a row, up to `maxBackOffMs`. */
  readonly firstBackOffMs: number;
  readonly maxBackOffMs: number;
  /** A watch that lasted this long resets the back-off. */
  readonly stableMs: number;
}

const defaultTimings: WatchTimings = {
  relistMs: 10 * 60_000,
  firstBackOffMs: 1_000,
  maxBackOffMs: 30_000,
  stableMs: 10_000,
};

/**
 * Lists and watches until `signal` is aborted. When a watch ends, the next one continues from the last resource version; after an error or 410 Gone
 * everything is listed again. There is a back-off before each retry, except after a stable watch.
 */
export const watchForever = async <Item extends { readonly metadata: ObjectMeta }>(
  options: WatchOptions<Item>,
): Promise<void> => {
  const { signal, onError, timings = defaultTimings } = options;
  let state: WatchState = { resourceVersion: undefined, listedAt: 0 };
  let failures = 0;
  let retryAfterMs = 0;
  while (!signal.aborted) {
    const begin = performance.now();
    retryAfterMs = 0;
    try {
      if (state.resourceVersion === undefined || begin - state.listedAt >= timings.relistMs) {
        state = { resourceVersion: await listAll(options), listedAt: begin };
      }
      state = { ...state, resourceVersion: await watchOnce(options, state, timings) };
    } catch (error) {
      if (signal.aborted) return;
      state = { ...state, resourceVersion: undefined };
      if (error instanceof ApiError) retryAfterMs = error.retryAfterMs ?? 0;
      onError(error);
    }
    failures = performance.now() - begin >= timings.stableMs ? 0 : failures + 1;
    if (failures > 0) await backOff(failures, retryAfterMs, timings, signal);
  }
};

interface WatchState {
  /** Where the next watch begins; undefined when a new list is needed. */
  readonly resourceVersion: string | undefined;
  readonly listedAt: number;
}

const listAll = async <Item extends { readonly metadata: ObjectMeta }>({
  list,
  onList,
}: WatchOptions<Item>): Promise<string> => {
  const { metadata, items } = await list();
  onList(items);
  return metadata.resourceVersion;
};

/** Watches until the server ends the watch. Returns the last resource version, or undefined when a new list is needed. */
const watchOnce = async <Item extends { readonly metadata: ObjectMeta }>(
  { watch, onChange, signal }: WatchOptions<Item>,
  { resourceVersion = '', listedAt }: WatchState,
  { relistMs }: WatchTimings,
): Promise<string | undefined> => {
  let last = resourceVersion;
  const seconds = Math.max(1, Math.ceil((listedAt + relistMs - performance.now()) / 1_000));
  try {
    const deliver = (event: WatchEvent): void => {
      const { type, object } = event as Change<Item>;
      if (type === 'ERROR') throw new ApiError(object.message ?? 'the watch failed', object.code ?? 0);
      // A bookmark has only a resource version.
      if (type !== 'BOOKMARK') onChange(type, checkObject(object, undefined, 'spec'));
      last = object.metadata.resourceVersion;
    };
    await watch(last, seconds, deliver, signal);
  } catch (error) {
    // The API server has dropped the resource version from its history, as it does after some minutes.
    if (isApiError(error, 410)) return undefined;
    throw error;
  }
  return last;
};

type Change<Item> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: Item }
  | { readonly type: 'ERROR'; readonly object: { readonly code?: number; readonly message?: string } };

/** Exponential, with jitter of up to a half, so that a server that comes back does not get all retries at once; at least what the server asked for. */
const backOff = async (
  failures: number,
  retryAfterMs: number,
  { firstBackOffMs, maxBackOffMs }: WatchTimings,
  signal: AbortSignal,
): Promise<void> => {
  const ownMs = Math.min(firstBackOffMs * 2 ** (failures - 1), maxBackOffMs) * (0.5 + Math.random() / 2);
  const ms = Math.max(ownMs, Math.min(retryAfterMs, maxBackOffMs));
  await delay(ms, undefined, { signal }).catch(() => undefined);
};
