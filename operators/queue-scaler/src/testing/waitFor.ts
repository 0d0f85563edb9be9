import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which what is waited for counts as never coming: far more than anything here takes on a busy machine. */
const patienceMs = 120_000;

/** Resolves when it is so; asks without end until then, but fails with `what` when that takes too long. */
export const waitFor = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await delay(20);
  }
};
