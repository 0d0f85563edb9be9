import { AppError } from '@hearth/core/log/errors.ts';

export interface SemaphoreOptions {
  /** Maximum concurrent work. */
  readonly permits: number;
  /** Maximum queue length. Further work is rejected. */
  readonly maxWaiting: number;
}

/**
 * Creates a counting semaphore with a FIFO queue.
 * @throws AppError UNAVAILABLE if the queue is full, or the error of `refusal`
 */
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
      // Hands the permit over directly, so that no newcomer can take it in between.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

export const busy = (): AppError => new AppError('UNAVAILABLE', undefined, { retryAfterSeconds: 5 });
