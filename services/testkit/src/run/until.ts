import { scheduler } from 'node:timers/promises';

/** Milliseconds between two looks. */
const lookMs = 50;

/**
 * Waits until `isTrue` answers true, also where a test stops the clock of `setTimeout`.
 * @throws Error that names `what`, when the patience has run out
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
