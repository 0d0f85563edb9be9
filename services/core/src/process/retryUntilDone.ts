import { setTimeout as sleep } from 'node:timers/promises';
import { explainFailure } from '../log/explainFailure.ts';
import type { Log } from '../log/log.ts';

/** Milliseconds between two tries. */
const pauseMs = 1_000;

/**
 * Repeats `work` until it succeeds: for the start of a process whose dependencies may come up later. An error for which
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
      log.warn({ err: error }, `${what} failed and is tried again: ${explainFailure(error)}`);
      await sleep(pauseMs);
    }
  }
};
