import { AppError } from '@hearth/core/log/errors.ts';

/** How many pieces of work may run at the same time. */
export interface BulkheadOptions {
  readonly total: number;
  readonly perUser: number;
}

/**
 * A bulkhead: work beyond its limits is refused at once and does not wait, so that neither one user nor all together take more memory than
 * there is.
 * @throws AppError UNAVAILABLE where a limit is reached
 */
export const createBulkhead = ({ total, perUser }: BulkheadOptions) => {
  const runningOf = new Map<string, number>();
  let running = 0;
  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const own = runningOf.get(userId) ?? 0;
    if (running >= total || own >= perUser) {
      throw new AppError('UNAVAILABLE', 'too many uploads are received just now', { retryAfterSeconds: 5 });
    }
    runningOf.set(userId, own + 1);
    running += 1;
    try {
      return await work();
    } finally {
      const left = runningOf.get(userId)! - 1;
      if (left === 0) runningOf.delete(userId);
      else runningOf.set(userId, left);
      running -= 1;
    }
  };
};
