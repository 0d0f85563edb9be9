import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `bytes` more may be read. @throws the reason of `signal` */
export type Throttle = (bytes: number, signal: AbortSignal) => Promise<void>;

/** Shorter waits are saved up: timers are not more precise. */
const minWaitMs = 20;

/** Keeps reads at an average of `bytesPerSecond` and never makes up for idle time. */
export const createThrottle = (bytesPerSecond: number): Throttle => {
  let paidUntil = 0;
  return async (bytes, signal) => {
    signal.throwIfAborted();
    const now = performance.now();
    paidUntil = Math.max(paidUntil, now) + (bytes / bytesPerSecond) * 1_000;
    if (paidUntil - now >= minWaitMs) await sleep(paidUntil - now, undefined, { signal });
  };
};

/** Reads as fast as the store gives. */
export const unthrottled: Throttle = async (_bytes, signal) => signal.throwIfAborted();
