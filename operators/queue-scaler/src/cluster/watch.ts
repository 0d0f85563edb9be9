import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, isApiError } from './apiError.ts';
import type { WatchEvent } from './apiServer.ts';
import type { List, ObjectMeta } from './objects.ts';

/** What is listed and watched, and who is told. */
export interface WatchOptions<Item extends { readonly metadata: ObjectMeta }> {
  readonly list: () => Promise<List<Item>>;
  readonly watch: (
    resourceVersion: string,
    seconds: number,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Everything there is. */
  readonly onList: (items: readonly Item[]) => void;
  readonly onChange: (type: 'ADDED' | 'MODIFIED' | 'DELETED', item: Item) => void;
  /** Something went wrong and is tried again. */
  readonly onTrouble: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly timings?: WatchTimings;
}

/** Milliseconds. */
export interface WatchTimings {
  /** After which everything is listed anew, whatever the watch says: a lost change costs no longer. */
  readonly relistMs: number;
  /** Before the second try in a row; doubled for each further one, up to `maxPauseMs`. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  /** A watch that lasted so long was a good one. */
  readonly goodMs: number;
}

const defaultTimings: WatchTimings = { relistMs: 10 * 60_000, pauseMs: 1_000, maxPauseMs: 30_000, goodMs: 10_000 };

/**
 * Lists, then watches from there, for ever: through ends, errors, silence, and 410 Gone, which asks for a new list. Never two tries without a
 * pause, unless a watch lasted. Resolves when `signal` is aborted.
 */
export const watchForever = async <Item extends { readonly metadata: ObjectMeta }>(
  options: WatchOptions<Item>,
): Promise<void> => {
  const { signal, onTrouble, timings = defaultTimings } = options;
  let state: WatchState = { resourceVersion: undefined, listedAt: 0 };
  let failures = 0;
  let leaveAloneMs = 0;
  while (!signal.aborted) {
    const begin = performance.now();
    leaveAloneMs = 0;
    try {
      if (state.resourceVersion === undefined || begin - state.listedAt >= timings.relistMs) {
        state = { resourceVersion: await listAll(options), listedAt: begin };
      }
      state = { ...state, resourceVersion: await watchOnce(options, state, timings) };
    } catch (error) {
      if (signal.aborted) return;
      state = { ...state, resourceVersion: undefined };
      if (error instanceof ApiError) leaveAloneMs = error.retryAfterMs ?? 0;
      onTrouble(error);
    }
    failures = performance.now() - begin >= timings.goodMs ? 0 : failures + 1;
    if (failures > 0) await pause(failures, leaveAloneMs, timings, signal);
  }
};

interface WatchState {
  /** Where the watch goes on; undefined where everything has to be listed. */
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

/** Watches until the server ends it, and answers where to go on; undefined where that is no longer possible. */
const watchOnce = async <Item extends { readonly metadata: ObjectMeta }>(
  { watch, onChange, signal }: WatchOptions<Item>,
  { resourceVersion = '', listedAt }: WatchState,
  { relistMs }: WatchTimings,
): Promise<string | undefined> => {
  let last = resourceVersion;
  const left = Math.max(1, Math.ceil((listedAt + relistMs - performance.now()) / 1_000));
  try {
    const tell = (event: WatchEvent): void => {
      const { type, object } = event as Change<Item>;
      if (type === 'ERROR') throw new ApiError(object.message ?? 'the watch was refused', object.code ?? 0);
      last = object.metadata.resourceVersion;
      if (type !== 'BOOKMARK') onChange(type, object);
    };
    await watch(last, left, tell, signal);
  } catch (error) {
    // Our place in the history is forgotten, which is usual after a while.
    if (isApiError(error, 410)) return undefined;
    throw error;
  }
  return last;
};

type Change<Item> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: Item }
  | { readonly type: 'ERROR'; readonly object: { readonly code?: number; readonly message?: string } };

/**
 * Twice as long each time, and less by up to a half, so that not everybody comes at once to a server that is back; as long as it asks for, if that
 * is longer.
 */
const pause = async (
  failures: number,
  leastMs: number,
  { pauseMs, maxPauseMs }: WatchTimings,
  signal: AbortSignal,
): Promise<void> => {
  const ownMs = Math.min(pauseMs * 2 ** (failures - 1), maxPauseMs) * (0.5 + Math.random() / 2);
  const ms = Math.max(ownMs, Math.min(leastMs, maxPauseMs));
  await delay(ms, undefined, { signal }).catch(() => undefined);
};
