import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThrottle } from './throttle.ts';

const never = new AbortController().signal;

test('limits the read rate', async () => {
  const throttle = createThrottle(1_000_000);
  const began = performance.now();
  for (let n = 0; n < 10; n += 1) await throttle(30_000, never);
  // Each of ten reads of 30 kB costs 30 ms. A timer may fire up to a millisecond early.
  assert.ok(performance.now() - began >= 290);
});

test('ends a wait when the scrub is stopped', async () => {
  const stopping = new AbortController();
  const waiting = createThrottle(1)(1_000_000, stopping.signal);
  stopping.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
});
