import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Milliseconds between two tries. */
const pauseMs = 1_000;

/**
 * Does `work` until it succeeds, for what a process needs at its start and whose dependency may come up later. An error for which
 * `isWorthATry` is false is thrown.
 */
export const retryUntilDone = async <Result>(
  log: Log,
  what: string,
  work: () => Promise<Result>,
  isWorthATry: (error: unknown) => boolean = () => true,
): Promise<Result> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthATry(error)) throw error;
      log.warn({ err: error }, `${what} failed and is tried again`);
      await sleep(pauseMs);
    }
  }
};
