import { setTimeout as sleep } from 'node:timers/promises';
import { explainFailure } from '../log/explainFailure.ts';
import type { Log } from '../log/log.ts';

const pauseMs = 1_000;

/**
 * Retries `work` every second until it succeeds, for dependencies that start later than this process. Throws an error
 * for which `isRetryable` returns false.
 */
export const retryUntilDone = async <Result>(
  log: Log,
  what: string,
  work: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean = () => true,
): Promise<Result> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      log.warn({ err: error }, `${what} failed, retrying: ${explainFailure(error)}`);
      await sleep(pauseMs);
    }
  }
};
