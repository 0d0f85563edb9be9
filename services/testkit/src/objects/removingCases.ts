import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { InvalidKeyError, isNotFound } from '@hearth/core/objects/objectErrors.ts';
import { forEachConcurrently, listKeys, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const invalidKeys: readonly string[] = [
  '',
  '/',
  'a/',
  '/a',
  'a//b',
  '.',
  '..',
  '../a',
  'a/..',
  'a/../b',
  'a/./b',
  '.a',
  'a/.b',
  'a b',
  'a\\b',
  'a\0b',
  'a\nb',
  'a\n',
  'ä',
  'a?b',
  'a%2fb',
  'a:b',
  '~/a+',
  'a'.repeat(256),
  'a/'.repeat(256) + 'a',
];

/** Tests of `remove`, and of invalid keys in all methods. */
export const removingCases = (makeStore: MakeStore): void => {
  test('removes an object but not its neighbours', async () => {
    await using testStore = await makeStore();
    for (const key of ['u/m/a', 'u/m/b', 'u/n/a', 'v']) await testStore.store.put(key, toStream(makeTestBytes(1, 10)));
    await testStore.store.remove(['u/m/a', 'v']);
    await assert.rejects(testStore.store.stat('u/m/a'), isNotFound);
    assert.deepEqual(await listKeys(testStore.store), ['u/m/b', 'u/n/a']);
  });

  test('ignores missing keys, so a removal can be repeated', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('u/m/a', toStream(makeTestBytes(1, 10)));
    await testStore.store.remove([]);
    await testStore.store.remove(['missing', 'u/missing/a', 'u', 'u/m', 'u/m/a/b']);
    assert.deepEqual(await listKeys(testStore.store), ['u/m/a']);
    await testStore.store.remove(['u/m/a', 'u/m/a']);
    await testStore.store.remove(['u/m/a']);
    assert.deepEqual(await listKeys(testStore.store), []);
  });

  test('accepts any key after the objects at its prefixes are removed', async () => {
    await using testStore = await makeStore();
    for (const key of ['a/b/c', 'a/b', 'a', 'a/b/c']) {
      await testStore.store.put(key, toStream(makeTestBytes(1, 10)));
      assert.deepEqual(await listKeys(testStore.store), [key]);
      await testStore.store.remove([key]);
    }
  });

  test('removes 1,100 objects in one call', async () => {
    await using testStore = await makeStore();
    const keys = Array.from({ length: 1100 }, (_, i) => `u/m${i % 10}/${i}`);
    await forEachConcurrently(keys, 16, (key) => testStore.store.put(key, toStream(makeTestBytes(1, 1))));
    await testStore.store.put('u/stays', toStream(makeTestBytes(1, 1)));
    await testStore.store.remove(keys);
    assert.deepEqual(await listKeys(testStore.store), ['u/stays']);
  });

  test('removes nothing if one of the keys is invalid', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('a', toStream(makeTestBytes(1, 10)));
    await assert.rejects(testStore.store.remove(['a', '../a']), InvalidKeyError);
    assert.deepEqual(await listKeys(testStore.store), ['a']);
  });

  test('rejects an invalid key in every method', async () => {
    await using testStore = await makeStore();
    for (const key of invalidKeys) {
      const body = toStream(makeTestBytes(1, 10));
      await assert.rejects(testStore.store.put(key, body), InvalidKeyError, JSON.stringify(key));
      assert.ok(body.destroyed);
      await assert.rejects(testStore.store.open(key), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(testStore.store.stat(key), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(testStore.store.file(key, tmpdir()), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(testStore.store.remove([key]), InvalidKeyError, JSON.stringify(key));
    }
    assert.deepEqual(await listKeys(testStore.store), []);
  });
};
