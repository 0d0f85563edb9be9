/** How many uploads run at once, and what chose that number. */
export interface Concurrency {
  readonly limit: number;
  readonly most: number;
  /** Bytes per second that the step before brought; 0 before the first. */
  readonly lastRate: number;
}

/** Three hide the time between requests of most connections. */
const firstLimit = 3;

/** What is worth one more upload at once: a fifth of what it could add would show, and noise does not. */
const worthwhileGain = 1.08;

/**
 * Over HTTP/1.1 a browser opens six connections to a server at most, and one is the stream of events: two more are left to the rest of the page.
 */
export const mostConcurrent = (protocol: string | undefined): number =>
  protocol === undefined || protocol === '' || protocol.startsWith('http/1') ? 3 : 6;

export const startConcurrency = (most: number): Concurrency => ({
  limit: Math.min(firstLimit, most),
  most,
  lastRate: 0,
});

/** One more at once as long as that brings more bytes per second. `isFull`: as many were running as may, all the time. */
export const afterRate = (state: Concurrency, rate: number, isFull: boolean): Concurrency => {
  if (!isFull || rate <= state.lastRate * worthwhileGain) return state;
  return { ...state, limit: Math.min(state.most, state.limit + 1), lastRate: rate };
};

/** Half as many after an error of the connection, or when the server asks for patience. */
export const afterHindrance = (state: Concurrency): Concurrency => ({
  ...state,
  limit: Math.max(1, Math.floor(state.limit / 2)),
  lastRate: 0,
});

/** Bytes per second over the last while, as `workOf` counts them. */
interface Speed {
  readonly bytesPerSecond: number;
  readonly atMs: number;
  readonly bytes: number;
  readonly samples: number;
}

/** What was measured so long ago weighs a third: short enough to follow a connection, long enough to be calm. */
const memorySeconds = 20;

/**
 * What a file costs besides its own bytes, counted in bytes: small photos went at ten files a second where large ones went at 5 MB a second
 * (embedded installation, 488 mixed files, 2026-11-25). Without it a folder whose small files come first takes half an hour by the first guess.
 */
const bytesPerFile = 500_000;

/** How much of the work is done, or there is in all, counted in bytes. */
export const workOf = (files: number, bytes: number): number => files * bytesPerFile + bytes;

export const startSpeed = (atMs: number, bytes: number): Speed => ({ bytesPerSecond: 0, atMs, bytes, samples: 0 });

/** The speed after so much work, `bytes`, in all have been settled at the time `atMs`. A step back, as when files are added, counts as none. */
export const nextSpeed = (speed: Speed, atMs: number, bytes: number): Speed => {
  const seconds = (atMs - speed.atMs) / 1000;
  if (seconds <= 0) return speed;
  const rate = Math.max(0, bytes - speed.bytes) / seconds;
  const weight = speed.samples === 0 ? 1 : 1 - Math.exp(-seconds / memorySeconds);
  return {
    bytesPerSecond: speed.bytesPerSecond + weight * (rate - speed.bytesPerSecond),
    atMs,
    bytes,
    samples: speed.samples + 1,
  };
};

/** A guess is worth saying after so many samples. */
const minSamples = 8;

/** How many seconds the rest takes, in steps that do not jump about; nothing while that is unknown. */
export const secondsLeft = (speed: Speed, bytesLeft: number): number | undefined => {
  if (speed.samples < minSamples || speed.bytesPerSecond <= 0) return undefined;
  const seconds = bytesLeft / speed.bytesPerSecond;
  const step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 600 ? 30 : seconds < 3600 ? 60 : 600;
  return Math.max(1, Math.round(seconds / step)) * step;
};

const firstMs = 1000;
const mostMs = 60_000;

/**
 * How many milliseconds to wait after so many attempts in a row: twice as long each time, up to a minute, and anything from half of it to all of
 * it, so that many clients of a server that comes back do not come at once. Never earlier than the server asked for.
 */
export const retryDelayMs = (attempts: number, retryAfterSeconds: number | undefined, random: number): number => {
  const whole = Math.min(mostMs, firstMs * 2 ** attempts);
  return Math.max((retryAfterSeconds ?? 0) * 1000, Math.round(whole * (0.5 + random / 2)));
};
