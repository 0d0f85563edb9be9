import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import { eachOf, keysOf, read, sha256, streamOf, testBytes, type MakeStore } from './testBytes.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Tests of `put` with complete bodies. */
export const writingCases = (makeStore: MakeStore): void => {
  // Around the size of a stream chunk and of a multipart part.
  const sizes = [0, 1, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 64 * MiB];
  for (const size of sizes) {
    test(`an object of ${size} bytes comes back as it was`, async () => {
      await using made = await makeStore();
      const bytes = testBytes(1, size);
      assert.equal(await made.store.put('u/m/original', streamOf(bytes)), size);
      assert.equal((await made.store.stat('u/m/original')).sizeBytes, size);
      assert.equal(await sha256(await made.store.open('u/m/original')), await sha256(streamOf(bytes)));
    });
  }

  test('stores a body in chunks of one byte', async () => {
    await using made = await makeStore();
    const bytes = testBytes(2, 20_000);
    assert.equal(await made.store.put('a', streamOf(bytes, 1)), bytes.length);
    assert.deepEqual(await read(made.store, 'a'), bytes);
  });

  test('stores an object under a key of 512 characters with a segment of 255', async () => {
    await using made = await makeStore();
    const key = `${'a'.repeat(254)}/${'b'.repeat(255)}/c`;
    await made.store.put(key, streamOf(testBytes(3, 10)));
    assert.deepEqual(await keysOf(made.store), [key]);
  });

  test('replaces an object, also by a shorter one', async () => {
    await using made = await makeStore();
    await made.store.put('u/m/original', streamOf(testBytes(4, 300_000)));
    await made.store.put('u/m/original', streamOf(testBytes(5, 10)));
    assert.deepEqual(await read(made.store, 'u/m/original'), testBytes(5, 10));
  });

  test('shows readers either the complete old or the complete new object during a replacement', async () => {
    await using made = await makeStore();
    const versions = [testBytes(6, 200_000), testBytes(7, 200_000)] as const;
    await made.store.put('a', streamOf(versions[0]));
    const write = async (): Promise<void> => {
      for (let i = 1; i <= 20; i++) await made.store.put('a', streamOf(versions[i % 2 === 0 ? 0 : 1]));
    };
    const look = async (): Promise<void> => {
      for (let i = 1; i <= 60; i++) {
        const seen = await read(made.store, 'a');
        assert.ok(versions.some((version) => version.equals(seen)));
      }
    };
    await Promise.all([write(), look(), look()]);
  });

  test('keeps exactly one complete object of parallel writes to one key', async () => {
    await using made = await makeStore();
    const versions = Array.from({ length: 8 }, (_, i) => testBytes(10 + i, 300_000 + i));
    await Promise.all(versions.map((version) => made.store.put('u/m/original', streamOf(version))));
    const left = await read(made.store, 'u/m/original');
    assert.ok(versions.some((version) => version.equals(left)));
    assert.deepEqual(await keysOf(made.store), ['u/m/original']);
    assert.equal(await made.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
  });

  test('keeps exactly one complete object of large parallel writes to one key', async () => {
    await using made = await makeStore();
    const versions = Array.from({ length: 3 }, (_, i) => testBytes(20 + i, 17 * MiB + i));
    await Promise.all(versions.map((version) => made.store.put('u/m/original', streamOf(version))));
    const left = await read(made.store, 'u/m/original');
    assert.ok(versions.some((version) => version.equals(left)));
    assert.deepEqual(await keysOf(made.store), ['u/m/original']);
    assert.equal(await made.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
  });

  test('writes an object while its last neighbour is removed', async () => {
    await using made = await makeStore();
    const rounds = Array.from({ length: 100 }, (_, i) => i);
    await eachOf(rounds, 4, async (round) => {
      await Promise.all([
        made.store.put(`u/m/new-${round}`, streamOf(testBytes(8, 1))),
        made.store.remove([`u/m/new-${round - 4}`, 'u/m/missing']),
      ]);
      await made.store.remove([`u/m/new-${round}`]);
    });
    await made.store.put('u/m/last', streamOf(testBytes(8, 1)));
    assert.ok((await keysOf(made.store)).includes('u/m/last'));
  });

  test('hides an active write, does not remove it as unfinished, and completes it', async () => {
    await using made = await makeStore();
    const bytes = testBytes(9, 9 * MiB);
    const gate = Promise.withResolvers<void>();
    const body = Readable.from(
      (async function* () {
        yield bytes.subarray(0, bytes.length - 1);
        await gate.promise;
        yield bytes.subarray(bytes.length - 1);
      })(),
      { objectMode: false },
    );
    const written = made.store.put('u/m/original', body);
    await setTimeout(100);
    assert.deepEqual(await keysOf(made.store), []);
    await assert.rejects(made.store.stat('u/m/original'), isNotFound);
    assert.equal(await made.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
    gate.resolve();
    assert.equal(await written, bytes.length);
    assert.deepEqual(await read(made.store, 'u/m/original'), bytes);
  });
};
