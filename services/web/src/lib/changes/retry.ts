import { ApiError } from '../api/apiError.ts';

/** Number of attempts, and the wait before the second one in ms, which doubles each time. */
const policy = { attempts: 3, waitMs: 500 } as const;

/**
 * Retries an idempotent request while the server is unavailable or unreachable.
 *
 * @throws the error of the last attempt, or the first error that is not temporary
 */
export const retry = async (attempt: () => Promise<unknown>, waitMs: number = policy.waitMs): Promise<void> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      const isTransient = error instanceof ApiError && (error.code === 'UNAVAILABLE' || error.code === 'UNREACHABLE');
      if (!isTransient || attempts === policy.attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * 2 ** (attempts - 1)));
    }
  }
};
