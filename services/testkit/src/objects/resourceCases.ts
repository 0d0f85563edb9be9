import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { test } from 'node:test';
import { Readable } from 'node:stream';
import { forEachConcurrently, toStream, makeTestBytes, type MakeStore } from './testBytes.ts';

const MiB = 1024 * 1024;
const descriptors = '/proc/self/fd';

/** Tests of memory, file descriptors and capacity. */
export const resourceCases = (makeStore: MakeStore): void => {
  test('writes and reads 512 MiB with less than 150 MiB of memory', async () => {
    await using testStore = await makeStore();
    const before = process.memoryUsage.rss();
    let peak = before;
    const measure = (): void => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const size = await testStore.store.put('u/m/original', generatedStream(512, measure));
    assert.equal(size, 512 * MiB);
    let readBytes = 0;
    for await (const chunk of await testStore.store.open('u/m/original')) {
      readBytes += (chunk as Buffer).length;
      measure();
    }
    assert.equal(readBytes, 512 * MiB);
    assert.ok(peak - before < 150 * MiB, `memory grew by ${Math.round((peak - before) / MiB)} MiB`);
  });

  test(
    'leaks no descriptors when readers, listings and writes are cancelled',
    { skip: !existsSync(descriptors) && `no ${descriptors} to count descriptors` },
    async () => {
      await using testStore = await makeStore();
      await testStore.store.put('a/b', toStream(makeTestBytes(1, 3 * MiB)));
      await testStore.store.put('a/c', toStream(makeTestBytes(1, 10)));
      const before = readdirSync(descriptors).length;
      await forEachConcurrently(
        Array.from({ length: 1000 }, (_, i) => i),
        20,
        async (i) => {
          const stream = await testStore.store.open('a/b');
          const closed = once(stream, 'close');
          if (i % 4 === 1) stream.resume();
          if (i % 4 === 2) await once(stream, 'readable');
          if (i % 4 === 3) await once(stream.resume(), 'data');
          stream.destroy();
          await closed;
        },
      );
      for (let i = 0; i < 100; i++) {
        for await (const _ of testStore.store.list('')) break;
        const body = new Readable({ read: () => {} });
        body.push(makeTestBytes(1, 1000));
        const written = testStore.store.put('a/d', body, { signal: AbortSignal.timeout(i % 10) });
        if (i % 2 === 0) setImmediate(() => body.destroy());
        await assert.rejects(written);
      }
      // A store in the network may keep a few connections open for the next request.
      const leaked = readdirSync(descriptors).length - before;
      assert.ok(leaked <= 20, `${leaked} descriptors more than before`);
    },
  );

  test('reports consistent capacity', async () => {
    await using testStore = await makeStore();
    const { totalBytes = 0, freeBytes = 0, usedBytes } = await testStore.store.capacity();
    for (const value of [totalBytes, freeBytes, usedBytes]) assert.ok(Number.isSafeInteger(value) && value >= 0);
    assert.ok(totalBytes > 0 && freeBytes + usedBytes <= totalBytes);
  });
};

/** Yields `count` MiB in chunks of 64 KiB, each a new buffer as from a socket. Calls `onChunk` before each. */
const generatedStream = (count: number, onChunk: () => void): Readable =>
  Readable.from(
    (function* () {
      for (let i = 0; i < count * 16; i++) {
        onChunk();
        yield Buffer.alloc(64 * 1024, i % 251);
      }
    })(),
    { objectMode: false },
  );
