import { AppError } from '@hearth/core/errors.ts';

/**
 * Lets `atOnce` pieces of work run at a time and the others wait for their turn, in order; more than `waiting` of them are refused.
 * @throws AppError UNAVAILABLE where too many wait already
 */
export const takeTurns = ({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) => {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) {
      running += 1;
    } else {
      if (queue.length >= waiting) throw new AppError('UNAVAILABLE', undefined, { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => {
        queue.push(resolve);
      });
    }
    try {
      return await work();
    } finally {
      // The turn passes from one to the next without being free in between.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};
