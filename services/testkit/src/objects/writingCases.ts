import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import { forEachConcurrently, listKeys, read, sha256, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Tests of `put` with complete bodies. */
export const writingCases = (makeStore: MakeStore): void => {
  // Around the size of a stream chunk and of a multipart part.
  const sizes = [0, 1, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 64 * MiB];
  for (const size of sizes) {
    test(`stores an object of ${size} bytes unchanged`, async () => {
      await using testStore = await makeStore();
      const bytes = makeTestBytes(1, size);
      assert.equal(await testStore.store.put('u/m/original', toStream(bytes)), size);
      assert.equal((await testStore.store.stat('u/m/original')).sizeBytes, size);
      assert.equal(await sha256(await testStore.store.open('u/m/original')), await sha256(toStream(bytes)));
    });
  }

  test('stores a body in chunks of one byte', async () => {
    await using testStore = await makeStore();
    const bytes = makeTestBytes(2, 20_000);
    assert.equal(await testStore.store.put('a', toStream(bytes, 1)), bytes.length);
    assert.deepEqual(await read(testStore.store, 'a'), bytes);
  });

  test('stores an object under a key of 512 characters with a segment of 255', async () => {
    await using testStore = await makeStore();
    const key = `${'a'.repeat(254)}/${'b'.repeat(255)}/c`;
    await testStore.store.put(key, toStream(makeTestBytes(3, 10)));
    assert.deepEqual(await listKeys(testStore.store), [key]);
  });

  test('replaces an object, also by a shorter one', async () => {
    await using testStore = await makeStore();
    await testStore.store.put('u/m/original', toStream(makeTestBytes(4, 300_000)));
    await testStore.store.put('u/m/original', toStream(makeTestBytes(5, 10)));
    assert.deepEqual(await read(testStore.store, 'u/m/original'), makeTestBytes(5, 10));
  });

  test('shows readers either the complete old or the complete new object during a replacement', async () => {
    await using testStore = await makeStore();
    const versions = [makeTestBytes(6, 200_000), makeTestBytes(7, 200_000)] as const;
    await testStore.store.put('a', toStream(versions[0]));
    const write = async (): Promise<void> => {
      for (let i = 1; i <= 20; i++) await testStore.store.put('a', toStream(versions[i % 2 === 0 ? 0 : 1]));
    };
    const readRepeatedly = async (): Promise<void> => {
      for (let i = 1; i <= 60; i++) {
        const seen = await read(testStore.store, 'a');
        assert.ok(versions.some((version) => version.equals(seen)));
      }
    };
    await Promise.all([write(), readRepeatedly(), readRepeatedly()]);
  });

  test('keeps exactly one complete object of parallel writes to one key', async () => {
    await using testStore = await makeStore();
    const versions = Array.from({ length: 8 }, (_, i) => makeTestBytes(10 + i, 300_000 + i));
    await Promise.all(versions.map((version) => testStore.store.put('u/m/original', toStream(version))));
    const stored = await read(testStore.store, 'u/m/original');
    assert.ok(versions.some((version) => version.equals(stored)));
    assert.deepEqual(await listKeys(testStore.store), ['u/m/original']);
    assert.equal(await testStore.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
  });

  test('keeps exactly one complete object of large parallel writes to one key', async () => {
    await using testStore = await makeStore();
    const versions = Array.from({ length: 3 }, (_, i) => makeTestBytes(20 + i, 17 * MiB + i));
    await Promise.all(versions.map((version) => testStore.store.put('u/m/original', toStream(version))));
    const stored = await read(testStore.store, 'u/m/original');
    assert.ok(versions.some((version) => version.equals(stored)));
    assert.deepEqual(await listKeys(testStore.store), ['u/m/original']);
    assert.equal(await testStore.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
  });

  test('writes an object while its last neighbour is removed', async () => {
    await using testStore = await makeStore();
    const rounds = Array.from({ length: 100 }, (_, i) => i);
    await forEachConcurrently(rounds, 4, async (round) => {
      await Promise.all([
        testStore.store.put(`u/m/new-${round}`, toStream(makeTestBytes(8, 1))),
        testStore.store.remove([`u/m/new-${round - 4}`, 'u/m/missing']),
      ]);
      await testStore.store.remove([`u/m/new-${round}`]);
    });
    await testStore.store.put('u/m/last', toStream(makeTestBytes(8, 1)));
    assert.ok((await listKeys(testStore.store)).includes('u/m/last'));
  });

  test('hides an active write, does not remove it as unfinished, and completes it', async () => {
    await using testStore = await makeStore();
    const bytes = makeTestBytes(9, 9 * MiB);
    const gate = Promise.withResolvers<void>();
    const body = Readable.from(
      (async function* () {
        yield bytes.subarray(0, bytes.length - 1);
        await gate.promise;
        yield bytes.subarray(bytes.length - 1);
      })(),
      { objectMode: false },
    );
    const written = testStore.store.put('u/m/original', body);
    await setTimeout(100);
    assert.deepEqual(await listKeys(testStore.store), []);
    await assert.rejects(testStore.store.stat('u/m/original'), isNotFound);
    assert.equal(await testStore.store.removeUnfinished(new Date(Date.now() + 60_000)), 0);
    gate.resolve();
    assert.equal(await written, bytes.length);
    assert.deepEqual(await read(testStore.store, 'u/m/original'), bytes);
  });
};
