import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { createFairSemaphore } from './fairSemaphore.ts';

/** Work that is done when the test says so, and in which order it was begun. */
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

test('parties take turns, however many one brings, and no more work at once than may', async () => {
  const { ask, begun, endAll } = makeWork({ permits: 2, maxWaiting: 100 });
  const asked = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map((party) => ask(party));
  assert.deepEqual(begun, ['a', 'a']);
  await endAll();
  await Promise.all(asked);
  assert.equal(begun.join(''), 'aaabcaba');
});

test('where too many wait, the last of the party with most is refused', async () => {
  const { ask, begun, endAll } = makeWork({ permits: 1, maxWaiting: 3 });
  const asked = Promise.allSettled(['a', 'a', 'a', 'a', 'b', 'c'].map((party) => ask(party)));
  await nextRound();
  await endAll();
  const statuses = (await asked).map((each) => (each.status === 'rejected' ? String(each.reason.code) : ''));
  assert.deepEqual(statuses, ['', '', 'UNAVAILABLE', 'UNAVAILABLE', '', '']);
  assert.equal(begun.join(''), 'aabc');
});

test('work that fails passes its turn on', async () => {
  const run = createFairSemaphore({ permits: 1, maxWaiting: 3 });
  const failing = run('a', () => Promise.reject(new Error('broken')));
  const following = run('a', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await following, 'done');
});
