import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapConcurrently } from './mapConcurrently.ts';

test('limits concurrency, and returns results in the order of the items', async () => {
  let [active, maxActive] = [0, 0];
  const results = await mapConcurrently(3, [5, 4, 3, 2, 1, 0], async (turns, index) => {
    maxActive = Math.max(maxActive, (active += 1));
    for (let left = turns; left > 0; left--) await nextTurn();
    active -= 1;
    return `${index}: ${turns}`;
  });
  assert.deepEqual(results, ['0: 5', '1: 4', '2: 3', '3: 2', '4: 1', '5: 0']);
  assert.equal(maxActive, 3);
});

test('rejects with the first failure', async () => {
  const working = mapConcurrently(2, [1, 2, 3], async (item) => {
    if (item === 2) throw new Error('not this one');
  });
  await assert.rejects(working, /not this one/);
});
