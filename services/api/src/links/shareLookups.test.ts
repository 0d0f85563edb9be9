import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { shareLookups } from './linkStates.ts';

/** Lookups that the test resolves, in starting order. */
const manualLooks = () => {
  const looks: { readonly id: string; readonly response: PromiseWithResolvers<number> }[] = [];
  const ask = shareLookups<number>((id) => {
    const response = Promise.withResolvers<number>();
    looks.push({ id, response });
    return response.promise;
  });
  return { looks, ask };
};

test('callers during a lookup share the next one, which starts after they arrived', async () => {
  const { looks, ask } = manualLooks();
  const first = ask('a');
  const others = [ask('a'), ask('a'), ask('a')];
  assert.equal(looks.length, 1);
  looks[0]!.response.resolve(1);
  assert.equal(await first, 1);
  await waitUntil('the second look begins', () => looks.length >= 2);
  const later = ask('a');
  looks[1]!.response.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await waitUntil('the third look begins', () => looks.length >= 3);
  looks[2]!.response.resolve(3);
  assert.equal(await later, 3);
  void ask('a');
  assert.equal(looks.length, 4);
});

test('lookups of different ids run concurrently, and a failure is shared but not cached', async () => {
  const { looks, ask } = manualLooks();
  const asked = [ask('a'), ask('b'), ask('a')];
  assert.deepEqual(
    looks.map(({ id }) => id),
    ['a', 'b'],
  );
  looks[0]!.response.reject(new Error('away'));
  looks[1]!.response.resolve(5);
  const [a, b, again] = await Promise.allSettled(asked);
  assert.deepEqual([a?.status, b, again?.status], ['rejected', { status: 'fulfilled', value: 5 }, 'rejected']);
  void ask('a');
  assert.equal(looks.length, 3);
});
