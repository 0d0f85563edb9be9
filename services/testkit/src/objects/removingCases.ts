import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { InvalidKeyError, isNotFound } from '@hearth/core/objects/objectErrors.ts';
import { eachOf, keysOf, streamOf, testBytes, type MakeStore } from './testBytes.ts';

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
    await using made = await makeStore();
    for (const key of ['u/m/a', 'u/m/b', 'u/n/a', 'v']) await made.store.put(key, streamOf(testBytes(1, 10)));
    await made.store.remove(['u/m/a', 'v']);
    await assert.rejects(made.store.stat('u/m/a'), isNotFound);
    assert.deepEqual(await keysOf(made.store), ['u/m/b', 'u/n/a']);
  });

  test('ignores missing keys, so a removal can be repeated', async () => {
    await using made = await makeStore();
    await made.store.put('u/m/a', streamOf(testBytes(1, 10)));
    await made.store.remove([]);
    await made.store.remove(['missing', 'u/missing/a', 'u', 'u/m', 'u/m/a/b']);
    assert.deepEqual(await keysOf(made.store), ['u/m/a']);
    await made.store.remove(['u/m/a', 'u/m/a']);
    await made.store.remove(['u/m/a']);
    assert.deepEqual(await keysOf(made.store), []);
  });

  test('accepts any key after the objects at its prefixes are removed', async () => {
    await using made = await makeStore();
    for (const key of ['a/b/c', 'a/b', 'a', 'a/b/c']) {
      await made.store.put(key, streamOf(testBytes(1, 10)));
      assert.deepEqual(await keysOf(made.store), [key]);
      await made.store.remove([key]);
    }
  });

  test('removes 1,100 objects in one call', async () => {
    await using made = await makeStore();
    const keys = Array.from({ length: 1100 }, (_, i) => `u/m${i % 10}/${i}`);
    await eachOf(keys, 16, (key) => made.store.put(key, streamOf(testBytes(1, 1))));
    await made.store.put('u/stays', streamOf(testBytes(1, 1)));
    await made.store.remove(keys);
    assert.deepEqual(await keysOf(made.store), ['u/stays']);
  });

  test('removes nothing if one of the keys is invalid', async () => {
    await using made = await makeStore();
    await made.store.put('a', streamOf(testBytes(1, 10)));
    await assert.rejects(made.store.remove(['a', '../a']), InvalidKeyError);
    assert.deepEqual(await keysOf(made.store), ['a']);
  });

  test('rejects an invalid key in every method', async () => {
    await using made = await makeStore();
    for (const key of invalidKeys) {
      const body = streamOf(testBytes(1, 10));
      await assert.rejects(made.store.put(key, body), InvalidKeyError, JSON.stringify(key));
      assert.ok(body.destroyed);
      await assert.rejects(made.store.open(key), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(made.store.stat(key), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(made.store.file(key, tmpdir()), InvalidKeyError, JSON.stringify(key));
      await assert.rejects(made.store.remove([key]), InvalidKeyError, JSON.stringify(key));
    }
    assert.deepEqual(await keysOf(made.store), []);
  });
};
