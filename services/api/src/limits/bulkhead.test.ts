import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@hearth/core/log/errors.ts';
import { createBulkhead } from './bulkhead.ts';

const isFull = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAVAILABLE';

test('limits concurrent work per user and in total, and frees places afterwards', async () => {
  const run = createBulkhead({ total: 3, perUser: 2 });
  const [ends, works] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [run('ada', () => ends.promise), run('ada', () => works.promise)];
  await assert.rejects(
    run('ada', async () => undefined),
    isFull,
  );
  const third = run('grace', () => works.promise);
  for (const who of ['grace', 'joan']) {
    await assert.rejects(
      run(who, async () => undefined),
      isFull,
    );
  }
  ends.resolve();
  await both[0];
  assert.equal(await run('ada', async () => 'done'), 'done');
  const failing = run('joan', async () => {
    await works.promise;
    throw new Error('failed');
  });
  works.resolve();
  await Promise.all([both[1], third, assert.rejects(failing, /failed/)]);
  assert.deepEqual(await Promise.all(['ada', 'grace', 'joan'].map((who) => run(who, async () => who))), [
    'ada',
    'grace',
    'joan',
  ]);
});
