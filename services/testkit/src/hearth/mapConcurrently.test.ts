import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { mapConcurrently } from './mapConcurrently.ts';

test('limits concurrency, and returns results in the order of the items', async () => {
  let [atWork, most] = [0, 0];
  const results = await mapConcurrently(3, [5, 4, 3, 2, 1, 0], async (turns, index) => {
    most = Math.max(most, (atWork += 1));
    for (let left = turns; left > 0; left--) await turn();
    atWork -= 1;
    return `${index}: ${turns}`;
  });
  assert.deepEqual(results, ['0: 5', '1: 4', '2: 3', '3: 2', '4: 1', '5: 0']);
  assert.equal(most, 3);
});

test('rejects with the first failure', async () => {
  const working = mapConcurrently(2, [1, 2, 3], async (item) => {
    if (item === 2) throw new Error('not this one');
  });
  await assert.rejects(working, /not this one/);
});
