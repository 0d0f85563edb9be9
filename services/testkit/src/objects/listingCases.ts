import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachConcurrently, listKeys, list, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const keys = numbers(5)
  .flatMap((u) => numbers(100).flatMap((m) => numbers(5).map((n) => `u${u}/m${m}/name-${n}.jpg`)))
  .toSorted();

/** Prefixes, and the number of keys that begin with each. */
const prefixes: readonly (readonly [prefix: string, count: number])[] = [
  ['', 2500],
  ['u', 2500],
  ['u1', 500],
  ['u1/', 500],
  ['u1/m', 500],
  ['u1/m1', 55],
  ['u1/m1/', 5],
  ['u1/m1/na', 5],
  ['u1/m1/name-3', 1],
  ['u1/m1/name-3.jpg', 1],
  ['u1/m1/name-3.jpg/', 0],
  ['u1/m1/name-3.jpgs', 0],
  ['x', 0],
  ['x/y/z', 0],
  ['U1', 0],
  ['/', 0],
  ['/u1', 0],
  ['u1//', 0],
  ['u1/./', 0],
  ['u1/../', 0],
  ['../', 0],
  ['.', 0],
  ['ü', 0],
];

/** Tests of `list`. */
export const listingCases = (makeStore: MakeStore): void => {
  test('lists each of 2,500 objects with the prefix once', async () => {
    await using testStore = await makeStore();
    await forEachConcurrently(keys, 16, (key) => testStore.store.put(key, toStream(makeTestBytes(1, key.length))));
    for (const [prefix, count] of prefixes) {
      const listed = await listKeys(testStore.store, prefix);
      assert.equal(listed.length, count, prefix);
      assert.deepEqual(
        listed,
        keys.filter((key) => key.startsWith(prefix)),
        prefix,
      );
    }
    let seen = 0;
    const listed: string[] = [];
    for await (const { key } of testStore.store.list('')) {
      seen += 1;
      listed.push(key);
      if (seen % 25 === 0) await testStore.store.remove(listed.splice(0));
    }
    await testStore.store.remove(listed);
    assert.equal(seen, keys.length, 'removing listed objects hides no other object from the listing');
    assert.deepEqual(await listKeys(testStore.store), []);
  });

  test('lists the same information as stat', async () => {
    await using testStore = await makeStore();
    for (const [i, key] of ['a', 'b/c', 'b/d/e'].entries())
      await testStore.store.put(key, toStream(makeTestBytes(1, i * 100_000)));
    const listed = await list(testStore.store);
    assert.equal(listed.length, 3);
    for (const info of listed) assert.deepEqual(info, await testStore.store.stat(info.key));
  });

  test('lists keys that look like numbers or keywords unchanged', async () => {
    await using testStore = await makeStore();
    const odd = [
      '007',
      '0x1F',
      '1.0',
      '1e5',
      '12345678901234567890',
      '_',
      '-',
      'true',
      'null',
      'NaN',
      '1_000',
      'a/1.50',
    ];
    for (const key of odd) await testStore.store.put(key, toStream(makeTestBytes(1, 1)));
    assert.deepEqual(await listKeys(testStore.store), odd.toSorted());
    for (const key of odd)
      assert.deepEqual(
        await listKeys(testStore.store, key),
        odd.toSorted().filter((other) => other.startsWith(key)),
      );
    await testStore.store.remove(odd);
    assert.deepEqual(await listKeys(testStore.store), []);
  });

  test('lists nothing in an empty store', async () => {
    await using testStore = await makeStore();
    assert.deepEqual(await list(testStore.store), []);
    assert.deepEqual(await list(testStore.store, 'u/m/'), []);
  });
};
