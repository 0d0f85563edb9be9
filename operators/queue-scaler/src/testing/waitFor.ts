import { setTimeout as delay } from 'node:timers/promises';

/** Far longer than anything takes here on a busy machine. */
const timeoutMs = 120_000;

/** Checks the condition every 20 ms until it holds. Fails with `what` after two minutes. */
export const waitFor = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out: ${what}`);
    await delay(20);
  }
};
