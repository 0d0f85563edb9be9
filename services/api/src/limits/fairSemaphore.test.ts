import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { createFairSemaphore } from './fairSemaphore.ts';

/** Work that the test ends, with a record of its starting order. */
const makeWork = (options: { readonly permits: number; readonly maxWaiting: number }) => {
  const run = createFairSemaphore(options);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    ask: async (party: string) =>
      run(party, async () => {
        begun.push(party);
        await new Promise<void>((resolve) => {
          ends.push(resolve);
        });
      }),
    endAll: async () => {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end();
        await nextRound();
      }
    },
  };
};

test('takes turns between parties and keeps to the number of permits', async () => {
  const { ask, begun, endAll } = makeWork({ permits: 2, maxWaiting: 100 });
  const asked = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map((party) => ask(party));
  assert.deepEqual(begun, ['a', 'a']);
  await endAll();
  await Promise.all(asked);
  assert.equal(begun.join(''), 'aaabcaba');
});

test('rejects the last work of the longest party when the queue is full', async () => {
  const { ask, begun, endAll } = makeWork({ permits: 1, maxWaiting: 3 });
  const asked = Promise.allSettled(['a', 'a', 'a', 'a', 'b', 'c'].map((party) => ask(party)));
  await nextRound();
  await endAll();
  const statuses = (await asked).map((each) => (each.status === 'rejected' ? String(each.reason.code) : ''));
  assert.deepEqual(statuses, ['', '', 'UNAVAILABLE', 'UNAVAILABLE', '', '']);
  assert.equal(begun.join(''), 'aabc');
});

test('passes the permit on after a failure', async () => {
  const run = createFairSemaphore({ permits: 1, maxWaiting: 3 });
  const failing = run('a', () => Promise.reject(new Error('broken')));
  const following = run('a', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await following, 'done');
});
