import { AppError } from '@hearth/core/log/errors.ts';

/** Limits on concurrent work. */
export interface BulkheadOptions {
  readonly total: number;
  readonly perUser: number;
}

/**
 * Creates a bulkhead: work beyond a limit is rejected at once instead of queued. This bounds memory, per user and in
 * total.
 * @throws AppError UNAVAILABLE if a limit is reached
 */
export const createBulkhead = ({ total, perUser }: BulkheadOptions) => {
  const runningByUser = new Map<string, number>();
  let running = 0;
  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const own = runningByUser.get(userId) ?? 0;
    if (running >= total || own >= perUser) {
      throw new AppError('UNAVAILABLE', 'too many concurrent uploads', { retryAfterSeconds: 5 });
    }
    runningByUser.set(userId, own + 1);
    running += 1;
    try {
      return await work();
    } finally {
      const left = runningByUser.get(userId)! - 1;
      if (left === 0) runningByUser.delete(userId);
      else runningByUser.set(userId, left);
      running -= 1;
    }
  };
};
