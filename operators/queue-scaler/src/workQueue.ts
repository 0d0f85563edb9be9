import PQueue from 'p-queue';

/** Keys to reconcile, in the manner of a controller's work queue. A key is never reconciled twice at the same time. */
export interface WorkQueue {
  /**
   * Reconciles a key as soon as possible. A key that is being reconciled is reconciled once more afterwards, however often it was enqueued. A key
   * that has failed keeps its back-off.
   */
  enqueue(key: string): void;
  /**
   * How long the most overdue key has made no progress, as a multiple of its interval. A reconcile that does not end makes no progress, and neither
   * does a due key while no reconcile ends. A queue that is merely too long makes progress.
   */
  missedIntervals(): number;
  /** Starts no further reconcile, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface WorkQueueOptions {
  /** Resolves with undefined when the key no longer exists. */
  readonly reconcile: (key: string) => Promise<ReconcileResult | undefined>;
  readonly onError: (key: string, error: unknown) => void;
  /** The minimum delay that the server asked for with this error. */
  readonly retryAfterMs: (error: unknown) => number | undefined;
}

/** When a key is reconciled again. */
export interface ReconcileResult {
  readonly requeueAfterMs: number;
  /** The usual time between two reconciles of the key. */
  readonly intervalMs: number;
}

/** Maximum number of keys that are reconciled at the same time. */
const maxConcurrentReconciles = 8;

/** The first back-off in milliseconds. It doubles with each failure, up to the key's interval. */
const firstBackOffMs = 1_000;

/** Upper limit of a back-off and of a delay that the server asks for, in milliseconds. */
const maxBackOffMs = 5 * 60_000;

/** The interval of a key that has not been reconciled yet, and the shortest one that `missedIntervals` counts with, in milliseconds. */
const defaultIntervalMs = 10_000;

interface Entry {
  /** When the key is due; while it is being reconciled, when that began. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  state: 'scheduled' | 'due' | 'reconciling';
  /** Whether the key was enqueued while it was being reconciled. */
  isDirty: boolean;
  failures: number;
  intervalMs: number;
}

export const openWorkQueue = ({ reconcile, onError, retryAfterMs }: WorkQueueOptions): WorkQueue => {
  const entries = new Map<string, Entry>();
  const pool = new PQueue({ concurrency: maxConcurrentReconciles });
  let lastEndAt = 0;
  let isStopped = false;

  const schedule = (key: string, entry: Entry, ms: number): void => {
    clearTimeout(entry.timer);
    Object.assign(entry, { state: 'scheduled', dueAt: performance.now() + ms });
    if (!isStopped) entry.timer = setTimeout(makeDue, ms, key, entry);
  };
  const makeDue = (key: string, entry: Entry): void => {
    entry.state = 'due';
    void pool.add(() => reconcileKey(key, entry));
  };
  const reconcileKey = async (key: string, entry: Entry): Promise<void> => {
    Object.assign(entry, { state: 'reconciling', isDirty: false, dueAt: performance.now() });
    try {
      const result = await reconcile(key);
      entry.failures = 0;
      if (result === undefined && !entry.isDirty) return void entries.delete(key);
      entry.intervalMs = result?.intervalMs ?? defaultIntervalMs;
      schedule(key, entry, entry.isDirty ? 0 : (result?.requeueAfterMs ?? 0));
    } catch (error) {
      onError(key, error);
      entry.failures += 1;
      schedule(key, entry, Math.min(Math.max(retryAfterMs(error) ?? 0, backOff(entry)), maxBackOffMs));
    } finally {
      lastEndAt = performance.now();
    }
  };

  return {
    enqueue: (key) => {
      const entry = entries.get(key) ?? newEntry();
      entries.set(key, entry);
      if (entry.state === 'reconciling') entry.isDirty = true;
      // A failed reconcile may have changed the object itself. That change must not end the back-off.
      else if (entry.state === 'scheduled' && entry.failures === 0) schedule(key, entry, 0);
    },
    missedIntervals: () =>
      Math.max(
        0,
        ...entries.values().map(({ state, dueAt, intervalMs }) => {
          const since = state === 'reconciling' ? dueAt : Math.max(dueAt, lastEndAt);
          return (performance.now() - since) / Math.max(intervalMs, defaultIntervalMs);
        }),
      ),
    stop: async () => {
      isStopped = true;
      for (const { timer } of entries.values()) clearTimeout(timer);
      pool.clear();
      await pool.onIdle();
    },
  };
};

const newEntry = (): Entry => ({
  dueAt: 0,
  timer: undefined,
  state: 'scheduled',
  isDirty: false,
  failures: 0,
  intervalMs: defaultIntervalMs,
});

/** With jitter of up to a half, so that a server that comes back does not get all retries at once. */
const backOff = ({ failures, intervalMs }: Entry): number =>
  Math.min(firstBackOffMs * 2 ** (failures - 1), intervalMs, maxBackOffMs) * (0.5 + Math.random() / 2);
