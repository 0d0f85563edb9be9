import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@hearth/core/log/errors.ts';
import { createBulkhead } from './bulkhead.ts';

const isFull = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAVAILABLE';

test('limits concurrent work per user and in total, and frees slots afterwards', async () => {
  const run = createBulkhead({ total: 3, perUser: 2 });
  const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [run('ada', () => early.promise), run('ada', () => late.promise)];
  await assert.rejects(
    run('ada', async () => undefined),
    isFull,
  );
  const third = run('grace', () => late.promise);
  for (const user of ['grace', 'joan']) {
    await assert.rejects(
      run(user, async () => undefined),
      isFull,
    );
  }
  early.resolve();
  await both[0];
  assert.equal(await run('ada', async () => 'done'), 'done');
  const failing = run('joan', async () => {
    await late.promise;
    throw new Error('failed');
  });
  late.resolve();
  await Promise.all([both[1], third, assert.rejects(failing, /failed/)]);
  assert.deepEqual(await Promise.all(['ada', 'grace', 'joan'].map((user) => run(user, async () => user))), [
    'ada',
    'grace',
    'joan',
  ]);
});
