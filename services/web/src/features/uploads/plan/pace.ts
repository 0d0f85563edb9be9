/** Number of parallel uploads, and the state that adapts it. */
export interface Concurrency {
  readonly limit: number;
  readonly max: number;
  /** Bytes per second at the last increase of `limit`; 0 before the first one and after an error. */
  readonly lastRate: number;
}

/** Three parallel uploads hide the latency between requests on most connections. */
const firstLimit = 3;

/** Minimum ratio of throughputs that justifies another parallel upload. Below it, the gain may be noise. */
const minGain = 1.08;

/**
 * Returns the maximum number of parallel uploads. Over HTTP/1.1, browsers open at most six connections per server. One
 * is the event stream, and two are reserved for the page.
 */
export const getMaxConcurrent = (protocol: string | undefined): number =>
  protocol === undefined || protocol === '' || protocol.startsWith('http/1') ? 3 : 6;

export const startConcurrency = (max: number): Concurrency => ({
  limit: Math.min(firstLimit, max),
  max,
  lastRate: 0,
});

/**
 * Adds a parallel upload while that increases the throughput. `isFull`: all permitted uploads were active during the
 * whole interval.
 */
export const afterRate = (state: Concurrency, rate: number, isFull: boolean): Concurrency => {
  if (!isFull || rate <= state.lastRate * minGain) return state;
  return { ...state, limit: Math.min(state.max, state.limit + 1), lastRate: rate };
};

/** Halves the number of parallel uploads after an error that is retried later. */
export const afterFailure = (state: Concurrency): Concurrency => ({
  ...state,
  limit: Math.max(1, Math.floor(state.limit / 2)),
  lastRate: 0,
});

/** Moving average of bytes per second, in units of `getWork`. */
interface Speed {
  readonly bytesPerSecond: number;
  readonly atMs: number;
  readonly bytes: number;
  readonly samples: number;
}

/** Time constant of the moving average: short enough to follow the connection, long enough to be stable. */
const averagingSeconds = 20;

/**
 * Overhead per file, in bytes. In a test, small photos were uploaded at ten files per second and large ones at 5 MB per
 * second (embedded installation, 488 mixed files, 2026-11-25). Without the overhead, the first estimate for a folder
 * that starts with small files was half an hour.
 */
const bytesPerFile = 500_000;

/** Returns an amount of work in bytes, including the overhead per file. */
export const getWork = (files: number, bytes: number): number => files * bytesPerFile + bytes;

export const startSpeed = (atMs: number, bytes: number): Speed => ({ bytesPerSecond: 0, atMs, bytes, samples: 0 });

/**
 * Updates the speed. `bytes`: total work done at `atMs`. Negative progress, as when files are added, counts as zero.
 */
export const nextSpeed = (speed: Speed, atMs: number, bytes: number): Speed => {
  const seconds = (atMs - speed.atMs) / 1000;
  if (seconds <= 0) return speed;
  const rate = Math.max(0, bytes - speed.bytes) / seconds;
  const weight = speed.samples === 0 ? 1 : 1 - Math.exp(-seconds / averagingSeconds);
  return {
    bytesPerSecond: speed.bytesPerSecond + weight * (rate - speed.bytesPerSecond),
    atMs,
    bytes,
    samples: speed.samples + 1,
  };
};

/** Minimum number of samples for an estimate. */
const minSamples = 8;

/** Returns the remaining seconds, rounded to stable steps, or undefined if unknown. */
export const secondsLeft = (speed: Speed, bytesLeft: number): number | undefined => {
  if (speed.samples < minSamples || speed.bytesPerSecond <= 0) return undefined;
  const seconds = bytesLeft / speed.bytesPerSecond;
  const step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 600 ? 30 : seconds < 3600 ? 60 : 600;
  return Math.max(1, Math.round(seconds / step)) * step;
};

const firstDelayMs = 1000;
const maxDelayMs = 60_000;

/**
 * Returns the retry delay in ms: exponential up to a minute, and at least `retryAfterSeconds`. A random factor of 0.5 to
 * 1 prevents all clients from retrying at the same time after a server restart.
 */
export const retryDelayMs = (attempts: number, retryAfterSeconds: number | undefined, random: number): number => {
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** attempts);
  return Math.max((retryAfterSeconds ?? 0) * 1000, Math.round(delayMs * (0.5 + random / 2)));
};
