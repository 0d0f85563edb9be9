import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `bytes` more may be read.
 * @throws the reason of `signal`
 */
export type Throttle = (bytes: number, signal: AbortSignal) => Promise<void>;

/** Minimum wait, in ms. Shorter waits are skipped and added to the next one, because timers are imprecise. */
const minWaitMs = 20;

/** Limits reads to an average of `bytesPerSecond`. Idle time does not allow faster reads later. */
export const createThrottle = (bytesPerSecond: number): Throttle => {
  let paidUntil = 0;
  return async (bytes, signal) => {
    signal.throwIfAborted();
    const now = performance.now();
    paidUntil = Math.max(paidUntil, now) + (bytes / bytesPerSecond) * 1_000;
    if (paidUntil - now >= minWaitMs) await sleep(paidUntil - now, undefined, { signal });
  };
};

/** No limit. */
export const unthrottled: Throttle = async (_bytes, signal) => signal.throwIfAborted();
