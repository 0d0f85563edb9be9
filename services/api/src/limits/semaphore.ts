import { AppError } from '@hearth/core/log/errors.ts';

export interface SemaphoreOptions {
  /** Pieces of work that run at the same time. */
  readonly permits: number;
  /** Pieces of work that wait for a permit; more are refused. */
  readonly maxWaiting: number;
}

/** A counting semaphore with a queue in order of arrival. @throws AppError UNAVAILABLE where the queue is full, unless `refusal` makes another */
export const createSemaphore = ({ permits, maxWaiting }: SemaphoreOptions, refusal = busy) => {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < permits) {
      running += 1;
    } else {
      if (queue.length >= maxWaiting) throw refusal();
      await new Promise<void>((resolve) => {
        queue.push(resolve);
      });
    }
    try {
      return await work();
    } finally {
      // The permit passes from one to the next without being free in between.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

/** The answer to work that is refused because too much waits already. */
export const busy = (): AppError => new AppError('UNAVAILABLE', undefined, { retryAfterSeconds: 5 });
