import { ApiError } from '../api/apiError.ts';

/** How often something is tried in all, and how long is waited before it is tried a second time; then twice as long. */
const policy = { attempts: 3, waitMs: 500 } as const;

/**
 * Tries again what the server could not do at the moment, or did not answer: for requests that do no harm when they are made twice.
 *
 * @throws what the last attempt threw, or what is no matter of the moment.
 */
export const retried = async (attempt: () => Promise<unknown>, waitMs: number = policy.waitMs): Promise<void> => {
  for (let made = 1; ; made += 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      const isPassing = error instanceof ApiError && (error.code === 'UNAVAILABLE' || error.code === 'UNREACHABLE');
      if (!isPassing || made === policy.attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs * 2 ** (made - 1)));
    }
  }
};
