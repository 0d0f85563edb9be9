/** Work to be done again and again, by key: never two at a time for one key, and what is asked for meanwhile once more afterwards. */
export interface WorkQueue {
  /** Does it as soon as possible. */
  add(key: string): void;
  /**
   * The longest that anything stands still, as a multiple of its interval: a turn that does not end, or one that is due while no other ends. That
   * there is more to do than is done in time is no standstill.
   */
  lag(): number;
  /** Begins nothing more, and resolves when nothing is being done any more. */
  stop(): Promise<void>;
}

/** How the work is done. */
export interface WorkQueueOptions {
  /** Does it, and answers how it goes on; undefined where the key is gone. */
  readonly work: (key: string) => Promise<NextTurn | undefined>;
  readonly onError: (key: string, error: unknown) => void;
  /** How long the server asks to be left alone after this error, at least. */
  readonly retryAfterMs: (error: unknown) => number | undefined;
}

/** When a key is due again. */
export interface NextTurn {
  readonly inMs: number;
  /** Milliseconds between two turns when all is well. */
  readonly intervalMs: number;
}

/** Most keys that are worked on at once. */
const maxAtOnce = 8;

/** Milliseconds before the first retry; doubled for each further one, up to the key's own interval, or `longestRetryMs`, as what a server asks for. */
const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;

/** Milliseconds between two turns of a key that has not had a good one yet; also the shortest interval that lag is measured by. */
const unknownIntervalMs = 10_000;

interface Entry {
  /** When its turn is, or was begun. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  state: 'resting' | 'waiting' | 'working';
  isAskedAgain: boolean;
  failures: number;
  intervalMs: number;
}

export const openWorkQueue = ({ work, onError, retryAfterMs }: WorkQueueOptions): WorkQueue => {
  const entries = new Map<string, Entry>();
  const waiting: string[] = [];
  let lastEndAt = 0;
  const working = new Set<Promise<void>>();
  let isStopped = false;

  const schedule = (key: string, entry: Entry, ms: number): void => {
    clearTimeout(entry.timer);
    Object.assign(entry, { state: 'resting', dueAt: performance.now() + ms });
    if (!isStopped) entry.timer = setTimeout(begin, ms, key, entry);
  };
  const begin = (key: string, entry: Entry): void => {
    entry.state = 'waiting';
    waiting.push(key);
    pump();
  };
  const pump = (): void => {
    while (working.size < maxAtOnce) {
      const key = isStopped ? undefined : waiting.shift();
      if (key === undefined) return;
      const entry = entries.get(key);
      if (entry === undefined) continue;
      const turn = doTurn(key, entry).finally(() => {
        working.delete(turn);
        lastEndAt = performance.now();
        pump();
      });
      working.add(turn);
    }
  };
  const doTurn = async (key: string, entry: Entry): Promise<void> => {
    Object.assign(entry, { state: 'working', isAskedAgain: false, dueAt: performance.now() });
    try {
      const next = await work(key);
      entry.failures = 0;
      if (next === undefined && !entry.isAskedAgain) return void entries.delete(key);
      entry.intervalMs = next?.intervalMs ?? unknownIntervalMs;
      schedule(key, entry, entry.isAskedAgain ? 0 : (next?.inMs ?? 0));
    } catch (error) {
      onError(key, error);
      entry.failures += 1;
      schedule(key, entry, Math.min(Math.max(retryAfterMs(error) ?? 0, backOff(entry)), longestRetryMs));
    }
  };

  return {
    add: (key) => {
      const entry = entries.get(key) ?? newEntry();
      entries.set(key, entry);
      if (entry.state === 'working') entry.isAskedAgain = true;
      // What has just failed waits for its turn, or every change that it made itself would bring it here again.
      else if (entry.state === 'resting' && entry.failures === 0) schedule(key, entry, 0);
    },
    lag: () =>
      Math.max(
        0,
        ...entries.values().map(({ state, dueAt, intervalMs }) => {
          const since = state === 'working' ? dueAt : Math.max(dueAt, lastEndAt);
          return (performance.now() - since) / Math.max(intervalMs, unknownIntervalMs);
        }),
      ),
    stop: async () => {
      isStopped = true;
      for (const { timer } of entries.values()) clearTimeout(timer);
      await Promise.all(working);
    },
  };
};

const newEntry = (): Entry => ({
  dueAt: 0,
  timer: undefined,
  state: 'resting',
  isAskedAgain: false,
  failures: 0,
  intervalMs: unknownIntervalMs,
});

/** Less by up to a half, so that not everything comes at once to a server that is back. */
const backOff = ({ failures, intervalMs }: Entry): number =>
  Math.min(firstRetryMs * 2 ** (failures - 1), intervalMs, longestRetryMs) * (0.5 + Math.random() / 2);
