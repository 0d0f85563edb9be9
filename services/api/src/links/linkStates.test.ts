import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { LinkState } from './linkState.ts';
import { createLinkStates, maxStateAgeMs, refreshAfterMs } from './linkStates.ts';

/** A data source that the test changes, and a clock that it advances. */
const setUp = () => {
  const source = { epoch: 1, reads: 0, isUnavailable: false, nowMs: 0, until: Promise.resolve() };
  const states = createLinkStates(
    async (): Promise<LinkState> => {
      source.reads += 1;
      await source.until;
      if (source.isUnavailable) throw new Error('the database is unavailable');
      return { epoch: source.epoch, hiddenVersion: '0', hiddenIds: new Set() };
    },
    () => source.nowMs,
  );
  const accepts = (epoch: number, userId = 'a') => states.check(userId, (state) => state.epoch === epoch);
  return { source, states, accepts };
};

test('reads the state of a user once per half second for all links, and once for concurrent requests', async () => {
  const { source, accepts } = setUp();
  assert.deepEqual(await Promise.all(Array.from({ length: 50 }, () => accepts(1))), Array(50).fill(true));
  assert.ok(source.reads <= 2, `${source.reads}`);
  const reads = source.reads;
  for (source.nowMs = 0; source.nowMs < refreshAfterMs - 1; source.nowMs++) assert.ok(await accepts(1));
  assert.equal(source.reads, reads);
  assert.ok(await accepts(1, 'b'));
  assert.equal(source.reads, reads + 1);
});

test('serves a link in use without waiting for the database, and rejects it soon after the epoch changes', async () => {
  const { source, accepts } = setUp();
  assert.ok(await accepts(1));
  source.nowMs += refreshAfterMs;
  const { promise, resolve } = Promise.withResolvers<void>();
  source.until = promise;
  assert.ok(await accepts(1), 'responds while the state is being read');
  source.epoch = 2;
  resolve();
  await setImmediate();
  assert.ok(!(await accepts(1)));
});

test('rejects links of a previous epoch once the state is too old', async () => {
  const { source, accepts } = setUp();
  assert.ok(await accepts(1));
  source.epoch = 2;
  source.nowMs += maxStateAgeMs;
  assert.ok(!(await accepts(1)));
});

test('accepts a link of the next epoch at once, and drops a state that this process has changed', async () => {
  const { source, states, accepts } = setUp();
  assert.ok(await accepts(1));
  source.epoch = 2;
  assert.ok(await accepts(2), 'another replica has signed it');
  source.epoch = 3;
  states.expire('a');
  assert.ok(!(await accepts(2)));
});

test('fails while the database is unavailable and the cached state too old, then recovers', async () => {
  const { source, accepts } = setUp();
  assert.ok(await accepts(1));
  source.isUnavailable = true;
  assert.ok(await accepts(1));
  source.nowMs += maxStateAgeMs;
  await assert.rejects(accepts(1), /the database is unavailable/);
  source.isUnavailable = false;
  assert.ok(await accepts(1));
});
