import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from './semaphore.ts';

/** Work that ends when the test calls `end`. */
const createWork = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = { isRunning: false, end: resolve, fail: reject, run: async () => ((work.isRunning = true), promise) };
  return work;
};

const settle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('limits concurrent work to the number of permits, first come first served', async () => {
  const withPermit = createSemaphore({ permits: 2, maxWaiting: 10 });
  const works = Array.from({ length: 5 }, createWork);
  const results = works.map(({ run }) => withPermit(run));
  const running = async () => {
    await settle();
    return works.map(({ isRunning }) => isRunning);
  };
  assert.deepEqual(await running(), [true, true, false, false, false]);
  works[1]!.end('second');
  assert.equal(await results[1], 'second');
  assert.deepEqual(await running(), [true, true, true, false, false]);
  works[0]!.fail(new Error('broken'));
  await assert.rejects(results[0]!, /broken/);
  assert.deepEqual(await running(), [true, true, true, true, false]);
  for (const work of works) work.end('done');
  assert.deepEqual(await Promise.all(results.slice(2)), ['done', 'done', 'done']);
  assert.equal(await withPermit(async () => 'later'), 'later');
});

test('rejects work when the queue is full, and accepts it again later', async () => {
  const withPermit = createSemaphore({ permits: 1, maxWaiting: 2 });
  const works = Array.from({ length: 3 }, createWork);
  const results = works.map(({ run }) => withPermit(run));
  await assert.rejects(
    withPermit(async () => 'too many'),
    { code: 'UNAVAILABLE', retryAfterSeconds: 5 },
  );
  works[0]!.end('');
  await results[0];
  assert.equal(
    await Promise.race([withPermit(async () => 'fits').then(() => 'ran'), settle().then(() => 'waits')]),
    'waits',
  );
  for (const work of works) work.end('');
  await Promise.all(results);
});
