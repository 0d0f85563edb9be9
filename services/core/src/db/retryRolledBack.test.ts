import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { computeRetryDelay, retryRolledBack } from './retryRolledBack.ts';

const deadlock = () => Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' });

test('retries work that a deadlock has aborted, also if the error is wrapped, up to a limit', async () => {
  for (const [failures, error] of [
    [3, deadlock()],
    [4, new Error('the migration failed', { cause: deadlock() })],
    [Infinity, deadlock()],
  ] as const) {
    let attempts = 0;
    const result = retryRolledBack(async () => {
      attempts += 1;
      if (attempts <= failures) throw error;
      return 'done';
    });
    if (failures === Infinity) await assert.rejects(result, error);
    else assert.equal(await result, 'done');
    assert.equal(attempts, Math.min(failures + 1, 5));
  }
});

test('does not retry after any other error', async () => {
  let attempts = 0;
  const failing = retryRolledBack(async () => {
    attempts += 1;
    throw new Error('a bug');
  });
  await assert.rejects(failing, /a bug/);
  assert.equal(attempts, 1);
});

test('waits for a random time, up to a bound that doubles from 20 to 200 ms', () => {
  const bounds = [1, 2, 3, 4, 5, 50].map((attempt) => computeRetryDelay(attempt, () => 1));
  assert.deepEqual(bounds, [20, 40, 80, 160, 200, 200]);
  assert.equal(
    computeRetryDelay(3, () => 0),
    0,
  );
  const drawn = Array.from({ length: 100 }, () => computeRetryDelay(3));
  assert.ok(new Set(drawn).size > 90 && drawn.every((each) => each >= 0 && each < 80), String(drawn));
});
