import { AppError } from '@hearth/core/log/errors.ts';
import { createSemaphore } from '../limits/semaphore.ts';

/**
 * Limits of one user's searches. A search takes one of the process's database connections and much of a core. `seconds`
 * is the time limit of a query.
 */
export const searchLimits = { permits: 2, maxWaiting: 8, seconds: 3 } as const;

/** Runs a user's searches without slowing down other users. */
export type SearchLimiter = <Result>(userId: string, search: () => Promise<Result>) => Promise<Result>;

/**
 * Creates one semaphore per user in this process. The limits of several replicas add up.
 * @throws AppError TOO_MANY_ATTEMPTS, from the returned function, if too many of the user's searches are queued
 */
export const createSearchLimiter = (): SearchLimiter => {
  const users = new Map<string, { readonly run: ReturnType<typeof createSemaphore>; unfinished: number }>();
  return async (userId, search) => {
    const own = users.get(userId) ?? { run: createSemaphore(searchLimits, tooManySearches), unfinished: 0 };
    users.set(userId, own);
    own.unfinished += 1;
    try {
      return await own.run(search);
    } finally {
      own.unfinished -= 1;
      if (own.unfinished === 0) users.delete(userId);
    }
  };
};

const tooManySearches = (): AppError =>
  new AppError('TOO_MANY_ATTEMPTS', 'Too many concurrent searches; try again soon', {
    retryAfterSeconds: searchLimits.seconds,
  });
