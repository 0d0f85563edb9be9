import { AppError } from '@hearth/core/errors.ts';

/** Searches of one user: at a time, and in line behind those; each takes one of the process's database connections and much of a core. */
export const searchLimits = { atOnce: 2, waiting: 8, seconds: 3 } as const;

/** Lets a user's searches take turns, so that whoever searches a lot slows down nobody else. */
export type SearchTurns = <Result>(userId: string, search: () => Promise<Result>) => Promise<Result>;

interface UserSearches {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Opens the turns of this process; with several replicas a user has as many at a time in each of them.
 * @throws AppError TOO_MANY_ATTEMPTS, of what it returns, where too many of the user's searches wait already
 */
export const openSearchTurns = (): SearchTurns => {
  const users = new Map<string, UserSearches>();
  return async (userId, search) => {
    const own = users.get(userId) ?? { running: 0, waiting: [] };
    users.set(userId, own);
    if (own.running < searchLimits.atOnce) own.running += 1;
    else if (own.waiting.length < searchLimits.waiting) await new Promise<void>((resolve) => own.waiting.push(resolve));
    else
      throw new AppError('TOO_MANY_ATTEMPTS', 'Too many searches at a time', {
        retryAfterSeconds: searchLimits.seconds,
      });
    try {
      return await search();
    } finally {
      const next = own.waiting.shift();
      if (next !== undefined) next();
      else own.running -= 1;
      if (own.running === 0) users.delete(userId);
    }
  };
};
