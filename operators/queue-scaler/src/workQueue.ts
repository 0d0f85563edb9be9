import PQueue from 'p-queue';

/** Keys to reconcile, like a Kubernetes controller's work queue. A key is never reconciled twice at the same time. */
export interface WorkQueue {
  /**
   * Reconciles a key as soon as possible. A key that is being reconciled is reconciled once more afterwards, however
   * often it was enqueued. A failed key keeps its back-off.
   */
  enqueue(key: string): void;
  /**
   * Returns the time without progress of the most overdue key, as a multiple of its interval. A hanging reconcile makes
   * no progress, nor does a due key while no reconcile ends. Keys in a long queue make progress while reconciles end.
   */
  missedIntervals(): number;
  /** Starts no further reconcile. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface WorkQueueOptions {
  /** Resolves with undefined if the key no longer exists. */
  readonly reconcile: (key: string) => Promise<ReconcileResult | undefined>;
  readonly onError: (key: string, error: unknown) => void;
  /** Returns the minimum delay that the server requested with this error. */
  readonly retryAfterMs: (error: unknown) => number | undefined;
}

export interface ReconcileResult {
  readonly requeueAfterMs: number;
  /** Usual time between two reconciles of the key. */
  readonly intervalMs: number;
}

/** Maximum number of concurrent reconciles. */
const maxConcurrentReconciles = 8;

/** First back-off in ms. It doubles with each failure, up to the key's interval. */
const firstBackOffMs = 1_000;

/** Maximum back-off, and maximum delay requested by the server, in ms. */
const maxBackOffMs = 5 * 60_000;

/** Interval of a key that was not reconciled yet, and the shortest interval in `missedIntervals`, in ms. */
const defaultIntervalMs = 10_000;

interface Entry {
  /** Time when the key is due. While it is being reconciled, the time when that started. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  state: 'scheduled' | 'due' | 'reconciling';
  /** True if the key was enqueued while it was being reconciled. */
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
      schedule(key, entry, Math.min(Math.max(retryAfterMs(error) ?? 0, computeBackOff(entry)), maxBackOffMs));
    } finally {
      lastEndAt = performance.now();
    }
  };

  return {
    enqueue: (key) => {
      const entry = entries.get(key) ?? makeEntry();
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

const makeEntry = (): Entry => ({
  dueAt: 0,
  timer: undefined,
  state: 'scheduled',
  isDirty: false,
  failures: 0,
  intervalMs: defaultIntervalMs,
});

/** Returns the back-off with jitter of up to a half, so that a recovering server does not get all retries at once. */
const computeBackOff = ({ failures, intervalMs }: Entry): number =>
  Math.min(firstBackOffMs * 2 ** (failures - 1), intervalMs, maxBackOffMs) * (0.5 + Math.random() / 2);
