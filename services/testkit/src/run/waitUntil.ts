import { scheduler } from 'node:timers/promises';

/** Polling interval in ms. */
const intervalMs = 50;

/**
 * Polls until `isTrue` returns true, even while a test mocks `setTimeout`.
 * @throws Error with `description` after the timeout
 */
export const waitUntil = async (
  description: string,
  isTrue: () => Promise<boolean> | boolean,
  { timeoutMs = 60_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> => {
  const end = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${description}`);
    await scheduler.wait(intervalMs);
  }
};
