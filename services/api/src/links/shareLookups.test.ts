import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { shareLookups } from './linkStates.ts';

/** Lookups that the test resolves, in starting order. */
const createManualLookups = () => {
  const lookups: { readonly id: string; readonly response: PromiseWithResolvers<number> }[] = [];
  const lookUp = shareLookups<number>((id) => {
    const response = Promise.withResolvers<number>();
    lookups.push({ id, response });
    return response.promise;
  });
  return { lookups, lookUp };
};

test('callers during a lookup share the next one, which starts after they arrived', async () => {
  const { lookups, lookUp } = createManualLookups();
  const first = lookUp('a');
  const others = [lookUp('a'), lookUp('a'), lookUp('a')];
  assert.equal(lookups.length, 1);
  lookups[0]!.response.resolve(1);
  assert.equal(await first, 1);
  await waitUntil('the second lookup starts', () => lookups.length >= 2);
  const later = lookUp('a');
  lookups[1]!.response.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await waitUntil('the third lookup starts', () => lookups.length >= 3);
  lookups[2]!.response.resolve(3);
  assert.equal(await later, 3);
  void lookUp('a');
  assert.equal(lookups.length, 4);
});

test('lookups of different ids run concurrently, and a failure is shared but not cached', async () => {
  const { lookups, lookUp } = createManualLookups();
  const results = [lookUp('a'), lookUp('b'), lookUp('a')];
  assert.deepEqual(
    lookups.map(({ id }) => id),
    ['a', 'b'],
  );
  lookups[0]!.response.reject(new Error('unavailable'));
  lookups[1]!.response.resolve(5);
  const [a, b, again] = await Promise.allSettled(results);
  assert.deepEqual([a?.status, b, again?.status], ['rejected', { status: 'fulfilled', value: 5 }, 'rejected']);
  void lookUp('a');
  assert.equal(lookups.length, 3);
});
