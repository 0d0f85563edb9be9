import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { listKeys, read, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const size = 600_000;
const bytes = makeTestBytes(1, size);

/** Ranges inside an object of `size` bytes. */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0, size - 1],
  [0, 0],
  [size - 1, size - 1],
  [1, size - 2],
  [65_535, 65_536],
  [262_143, 262_144],
  [262_144, 524_287],
  [300_000, 300_000],
  [size - 2, size - 1],
];

const MiB = 2 ** 20;

/** Ranges of an object of 20 MiB, around the boundaries of multipart uploads. */
const largeRanges: readonly (readonly [first: number, last: number])[] = [
  [8 * MiB - 1, 8 * MiB],
  [8 * MiB, 8 * MiB],
  [1, 20 * MiB - 2],
  [16 * MiB - 10, 16 * MiB + 10],
  [20 * MiB - 1, 20 * MiB - 1],
];

/** Ranges not inside an object of `size` bytes. */
const wrongRanges: readonly (readonly [first: number, last: number])[] = [
  [0, size],
  [size, size],
  [size, size + 1],
  [5, 4],
  [-1, 4],
  [-5, -1],
  [0.5, 4],
  [0, 4.5],
  [Number.NaN, 4],
  [0, Number.POSITIVE_INFINITY],
];

/** Tests of `open`, `stat` and `file`. */
export const readingCases = (makeStore: MakeStore): void => {
  test('reads a range, including its first and last byte', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('a', toStream(bytes));
    for (const [first, last] of ranges) {
      const part = await read(testStore.store, 'a', { first, last });
      assert.ok(part.equals(bytes.subarray(first, last + 1)), `${first}–${last}`);
    }
  });

  test('reads a range of a large object, including its first and last byte', async () => {
    await using testStore = await makeStore();
    const large = makeTestBytes(4, 20 * MiB);
    await testStore.store.put('a', toStream(large));
    for (const [first, last] of largeRanges) {
      const part = await read(testStore.store, 'a', { first, last });
      assert.ok(part.equals(large.subarray(first, last + 1)), `${first}–${last}`);
    }
  });

  test('throws a RangeError for a range outside of the object', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('a', toStream(bytes));
    await testStore.store.put('empty', toStream(Buffer.alloc(0)));
    for (const [first, last] of wrongRanges) {
      await assert.rejects(testStore.store.open('a', { first, last }), RangeError, `${first}–${last}`);
    }
    await assert.rejects(testStore.store.open('empty', { first: 0, last: 0 }), RangeError);
  });

  test('reports missing keys as not found, including prefixes and extensions of existing ones', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('u/m/original', toStream(bytes));
    for (const key of ['missing', 'u/m/missing', 'u', 'u/m', 'u/m/original/more', 'u/m/origina']) {
      await assert.rejects(testStore.store.open(key), isNotFound, key);
      await assert.rejects(testStore.store.open(key, { first: 0, last: 0 }), isNotFound, key);
      await assert.rejects(testStore.store.stat(key), isNotFound, key);
      await assert.rejects(testStore.store.file(key, tmpdir()), isNotFound, key);
    }
  });

  test('returns size and time of the last write from stat', async () => {
    await using testStore = await makeStore();
    const margin = 60_000; // The store may have another clock.
    const before = Date.now() - margin;
    await testStore.store.put('a', toStream(bytes));
    const info = await testStore.store.stat('a');
    assert.deepEqual({ ...info, modifiedAt: undefined }, { key: 'a', sizeBytes: size, modifiedAt: undefined });
    assert.ok(info.modifiedAt.getTime() >= before && info.modifiedAt.getTime() <= Date.now() + margin);
  });

  const changes: readonly (readonly [change: string, run: (store: ObjectStore) => Promise<unknown>])[] = [
    ['replaced', (store) => store.put('a', toStream(makeTestBytes(2, 1000)))],
    ['removed', (store) => store.remove(['a'])],
  ];
  for (const [change, run] of changes) {
    test(`reads the old object to its end if it is ${change} meanwhile`, async () => {
      await using testStore = await makeStore();
      const old = makeTestBytes(3, 16 * 1024 * 1024);
      await testStore.store.put('a', toStream(old));
      const stream = await testStore.store.open('a');
      // A store may delay the change until the reader is done, so the reader waits for it only briefly.
      const changed = run(testStore.store);
      await Promise.race([changed, setTimeout(500)]);
      assert.ok((await buffer(stream)).equals(old));
      await changed;
    });
  }

  test('provides the bytes as a local file, and keeps the object when the file is disposed', async () => {
    await using testStore = await makeStore();
    const directory = await mkdtemp(join(tmpdir(), 'hearth-objects-'));
    await testStore.store.put('u/m/original', toStream(bytes));
    {
      await using file = await testStore.store.file('u/m/original', directory);
      assert.ok((await readFile(file.path)).equals(bytes));
    }
    assert.ok((await read(testStore.store, 'u/m/original')).equals(bytes));
    assert.deepEqual(await listKeys(testStore.store), ['u/m/original']);
    await rm(directory, { recursive: true });
  });
};
