import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@hearth/testkit/run/until.ts';
import { shareLookups } from './linkStates.ts';

/** Looks that are answered by hand, in the order in which they began. */
const manualLooks = () => {
  const looks: { readonly id: string; readonly answer: PromiseWithResolvers<number> }[] = [];
  const ask = shareLookups<number>((id) => {
    const answer = Promise.withResolvers<number>();
    looks.push({ id, answer });
    return answer.promise;
  });
  return { looks, ask };
};

test('whoever asks while a look is on its way shares the next one, which begins after they asked', async () => {
  const { looks, ask } = manualLooks();
  const first = ask('a');
  const others = [ask('a'), ask('a'), ask('a')];
  assert.equal(looks.length, 1);
  looks[0]!.answer.resolve(1);
  assert.equal(await first, 1);
  await until('the second look begins', () => looks.length >= 2);
  const later = ask('a');
  looks[1]!.answer.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await until('the third look begins', () => looks.length >= 3);
  looks[2]!.answer.resolve(3);
  assert.equal(await later, 3);
  void ask('a');
  assert.equal(looks.length, 4);
});

test('looks for different things do not wait for one another, and a failure is shared and forgotten', async () => {
  const { looks, ask } = manualLooks();
  const asked = [ask('a'), ask('b'), ask('a')];
  assert.deepEqual(
    looks.map(({ id }) => id),
    ['a', 'b'],
  );
  looks[0]!.answer.reject(new Error('away'));
  looks[1]!.answer.resolve(5);
  const [a, b, again] = await Promise.allSettled(asked);
  assert.deepEqual([a?.status, b, again?.status], ['rejected', { status: 'fulfilled', value: 5 }, 'rejected']);
  void ask('a');
  assert.equal(looks.length, 3);
});
