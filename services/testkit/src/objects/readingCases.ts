import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { keysOf, read, streamOf, testBytes, type MakeStore } from './testBytes.ts';

const size = 600_000;
const bytes = testBytes(1, size);

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
    await using made = await makeStore();
    await made.store.put('a', streamOf(bytes));
    for (const [first, last] of ranges) {
      const part = await read(made.store, 'a', { first, last });
      assert.ok(part.equals(bytes.subarray(first, last + 1)), `${first}–${last}`);
    }
  });

  test('reads a range of a large object, including its first and last byte', async () => {
    await using made = await makeStore();
    const large = testBytes(4, 20 * MiB);
    await made.store.put('a', streamOf(large));
    for (const [first, last] of largeRanges) {
      const part = await read(made.store, 'a', { first, last });
      assert.ok(part.equals(large.subarray(first, last + 1)), `${first}–${last}`);
    }
  });

  test('throws a RangeError for a range outside of the object', async () => {
    await using made = await makeStore();
    await made.store.put('a', streamOf(bytes));
    await made.store.put('empty', streamOf(Buffer.alloc(0)));
    for (const [first, last] of wrongRanges) {
      await assert.rejects(made.store.open('a', { first, last }), RangeError, `${first}–${last}`);
    }
    await assert.rejects(made.store.open('empty', { first: 0, last: 0 }), RangeError);
  });

  test('reports missing keys as not found, including prefixes and extensions of existing ones', async () => {
    await using made = await makeStore();
    await made.store.put('u/m/original', streamOf(bytes));
    for (const key of ['missing', 'u/m/missing', 'u', 'u/m', 'u/m/original/more', 'u/m/origina']) {
      await assert.rejects(made.store.open(key), isNotFound, key);
      await assert.rejects(made.store.open(key, { first: 0, last: 0 }), isNotFound, key);
      await assert.rejects(made.store.stat(key), isNotFound, key);
      await assert.rejects(made.store.file(key, tmpdir()), isNotFound, key);
    }
  });

  test('returns size and time of the last write from stat', async () => {
    await using made = await makeStore();
    const margin = 60_000; // The store may have another clock.
    const before = Date.now() - margin;
    await made.store.put('a', streamOf(bytes));
    const info = await made.store.stat('a');
    assert.deepEqual({ ...info, modifiedAt: undefined }, { key: 'a', sizeBytes: size, modifiedAt: undefined });
    assert.ok(info.modifiedAt.getTime() >= before && info.modifiedAt.getTime() <= Date.now() + margin);
  });

  const changes: readonly (readonly [what: string, run: (store: ObjectStore) => Promise<unknown>])[] = [
    ['replaced', (store) => store.put('a', streamOf(testBytes(2, 1000)))],
    ['removed', (store) => store.remove(['a'])],
  ];
  for (const [what, run] of changes) {
    test(`an object that is ${what} while it is read is read to its end as it was`, async () => {
      await using made = await makeStore();
      const old = testBytes(3, 16 * 1024 * 1024);
      await made.store.put('a', streamOf(old));
      const stream = await made.store.open('a');
      // A store may delay the change until the reader is done, so the reader waits for it only briefly.
      const changed = run(made.store);
      await Promise.race([changed, setTimeout(500)]);
      assert.ok((await buffer(stream)).equals(old));
      await changed;
    });
  }

  test('provides the bytes as a local file, and keeps the object when the file is disposed', async () => {
    await using made = await makeStore();
    const directory = await mkdtemp(join(tmpdir(), 'hearth-objects-'));
    await made.store.put('u/m/original', streamOf(bytes));
    {
      await using file = await made.store.file('u/m/original', directory);
      assert.ok((await readFile(file.path)).equals(bytes));
    }
    assert.ok((await read(made.store, 'u/m/original')).equals(bytes));
    assert.deepEqual(await keysOf(made.store), ['u/m/original']);
    await rm(directory, { recursive: true });
  });
};
