import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { createFairSemaphore } from './fairSemaphore.ts';

/** Work that the test ends, with a record of its starting order. */
const makeWork = (options: { readonly permits: number; readonly maxWaiting: number }) => {
  const run = createFairSemaphore(options);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    submit: async (party: string) =>
      run(party, async () => {
        started.push(party);
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

test('alternates between parties and respects the number of permits', async () => {
  const { submit, started, endAll } = makeWork({ permits: 2, maxWaiting: 100 });
  const results = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map((party) => submit(party));
  assert.deepEqual(started, ['a', 'a']);
  await endAll();
  await Promise.all(results);
  assert.equal(started.join(''), 'aaabcaba');
});

test('rejects the last work of the party with the longest queue when the queue is full', async () => {
  const { submit, started, endAll } = makeWork({ permits: 1, maxWaiting: 3 });
  const results = Promise.allSettled(['a', 'a', 'a', 'a', 'b', 'c'].map((party) => submit(party)));
  await nextRound();
  await endAll();
  const statuses = (await results).map((each) => (each.status === 'rejected' ? String(each.reason.code) : ''));
  assert.deepEqual(statuses, ['', '', 'UNAVAILABLE', 'UNAVAILABLE', '', '']);
  assert.equal(started.join(''), 'aabc');
});

test('passes the permit on after a failure', async () => {
  const run = createFairSemaphore({ permits: 1, maxWaiting: 3 });
  const failing = run('a', () => Promise.reject(new Error('broken')));
  const following = run('a', async () => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await following, 'done');
});
