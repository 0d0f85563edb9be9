import { setTimeout as delay } from 'node:timers/promises';
import type { FakeApi } from './fakeApi.ts';

/** Timeout in ms, generous enough for a busy machine. */
const timeoutMs = 120_000;

/** Checks the condition every 20 ms until it is true. Fails with `description` after two minutes. */
export const waitFor = async (description: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out: ${description}`);
    await delay(20);
  }
};

/**
 * Resolves when each of these QueueScalers, by default `worker`, has started and finished `count` more reconciles,
 * successful or not.
 */
export const waitForReconciles = async (
  api: Pick<FakeApi, 'requests'>,
  count: number,
  names: readonly string[] = ['worker'],
): Promise<void> => {
  const first = api.requests.length;
  await waitFor(`${count} reconciles of ${names.join(', ')}`, () => {
    const starts = new Map(names.map((name) => [name, 0]));
    for (const { verb, name = '' } of api.requests.slice(first))
      if (verb === 'GET queuescalers' && starts.has(name)) starts.set(name, (starts.get(name) ?? 0) + 1);
    // A reconcile starts with this request. One more such request means that the previous reconcile has ended.
    return [...starts.values()].every((started) => started > count);
  });
};
