import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runFuzz } from './runFuzz.ts';

const choices = (seed: number, number: number): string => createRandom(seed, number).bytes(20).toString('hex');

test('a seed and a case fix every choice, and neighbours choose otherwise', () => {
  assert.equal(choices(1, 2), choices(1, 2));
  const others = Array.from({ length: 100 }, (_, index) => choices(index % 10, Math.floor(index / 10)));
  assert.equal(new Set(others).size, 100);
});

test('1,000 mutated uploads and requests end no process and are all answered as documented', async (t) => {
  t.diagnostic(`seed ${testSeed}`);
  const { statuses, items } = await runFuzz({ seed: testSeed, first: 0, count: 1_000 });
  // Else the cases have lost their bite: all are refused at the door.
  for (const status of [200, 201, 204, 400, 401, 404]) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`);
  for (const status of ['READY', 'FAILED']) assert.ok((items.get(status) ?? 0) > 0, `no item became ${status}`);
});
