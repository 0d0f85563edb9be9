import { scheduler } from 'node:timers/promises';

/** Polling interval in ms. */
const lookMs = 50;

/**
 * Polls until `isTrue` returns true, even while a test mocks `setTimeout`.
 * @throws Error that names `what`, after the timeout
 */
export const until = async (
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  { patienceMs = 60_000 }: { readonly patienceMs?: number } = {},
): Promise<void> => {
  const end = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await scheduler.wait(lookMs);
  }
};
