import { AppError } from '@hearth/core/errors.ts';

/** How many pieces of work may go on at the same time. */
export interface PlaceLimits {
  readonly inAll: number;
  readonly ofOne: number;
}

/**
 * Runs work of which neither many together nor a single user's may take more memory than there is; what comes beyond that is refused.
 * @throws AppError UNAVAILABLE where there is no place left
 */
export const limitPlaces = ({ inAll, ofOne }: PlaceLimits) => {
  const taken = new Map<string, number>();
  let total = 0;
  return async <Result>(who: string, work: () => Promise<Result>): Promise<Result> => {
    const own = taken.get(who) ?? 0;
    if (total >= inAll || own >= ofOne) {
      throw new AppError('UNAVAILABLE', 'too many uploads are received just now', { retryAfterSeconds: 5 });
    }
    taken.set(who, own + 1);
    total += 1;
    try {
      return await work();
    } finally {
      const left = taken.get(who)! - 1;
      if (left === 0) taken.delete(who);
      else taken.set(who, left);
      total -= 1;
    }
  };
};
