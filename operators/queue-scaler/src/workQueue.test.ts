import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from './testing/waitFor.ts';
import { openWorkQueue, type NextTurn } from './workQueue.ts';

const rarely: NextTurn = { inMs: 600_000, intervalMs: 600_000 };

/** A queue whose work is done by `work`, and what it has done. */
const observedQueue = (work: (key: string, turn: number) => Promise<NextTurn | undefined>, retryAfterMs?: number) => {
  const turns: { readonly key: string; readonly at: number }[] = [];
  const queue = openWorkQueue({
    work: (key) => {
      turns.push({ key, at: performance.now() });
      return work(key, turns.filter((turn) => turn.key === key).length);
    },
    onError: () => undefined,
    retryAfterMs: () => retryAfterMs,
  });
  return { queue, turns };
};

/** Resolves when nothing is left to do at once. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

suite('the work queue', () => {
  test('does what is asked for many times meanwhile once more, and never twice at a time', async () => {
    const gate = Promise.withResolvers<void>();
    let atOnce = 0;
    const { queue, turns } = observedQueue(async () => {
      atOnce += 1;
      assert.equal(atOnce, 1);
      await gate.promise;
      atOnce -= 1;
      return rarely;
    });
    queue.add('a');
    await waitFor('the first turn', () => turns.length === 1);
    for (let times = 0; times < 5; times++) queue.add('a');
    gate.resolve();
    await waitFor('the second turn', () => turns.length === 2);
    await delay(50);
    assert.equal(turns.length, 2);
    await queue.stop();
  });

  test('works on eight keys at once, and then on the others', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, turns } = observedQueue(async () => {
      await gate.promise;
      return rarely;
    });
    for (let key = 0; key < 20; key++) queue.add(String(key));
    await delay(50);
    assert.equal(turns.length, 8);
    gate.resolve();
    await waitFor('all of them', () => turns.length === 20);
    await queue.stop();
  });

  test('does it again after the time that a turn asks for, and no more when the key is gone', async () => {
    const { queue, turns } = observedQueue(async (_key, turn) => (turn < 3 ? { inMs: 20, intervalMs: 20 } : undefined));
    queue.add('a');
    await waitFor('three turns', () => turns.length === 3);
    await delay(100);
    assert.equal(turns.length, 3);
    queue.add('a');
    await waitFor('a key that came back', () => turns.length === 4);
    await queue.stop();
  });

  test('tries again after a failure, later each time, and is not hurried by changes', async () => {
    const { queue, turns } = observedQueue(async () => {
      throw new Error('away');
    });
    queue.add('a');
    await waitFor('three turns', () => {
      queue.add('a');
      return turns.length === 3;
    });
    const [first = 0, second = 0, third = 0] = turns.map(({ at }) => at);
    assert.ok(second - first >= 490, `${second - first} ms`);
    assert.ok(third - second >= 990, `${third - second} ms`);
    await queue.stop();
  });

  test('waits for as long as the server asks', async () => {
    const { queue, turns } = observedQueue(async (_key, turn) => {
      if (turn === 1) throw new Error('too many requests');
      return rarely;
    }, 1_500);
    queue.add('a');
    await waitFor('the second turn', () => turns.length === 2);
    assert.ok((turns[1]?.at ?? 0) - (turns[0]?.at ?? 0) >= 1_490);
    await queue.stop();
  });

  test('waits longer each time also where the server asks for less', async () => {
    const { queue, turns } = observedQueue(async () => {
      throw new Error('too many requests');
    }, 1);
    queue.add('a');
    await waitFor('three turns', () => turns.length === 3);
    const [first = 0, second = 0, third = 0] = turns.map(({ at }) => at);
    assert.ok(second - first >= 490, `${second - first} ms`);
    assert.ok(third - second >= 990, `${third - second} ms`);
    await queue.stop();
  });

  test('is not asked to wait for longer than a timer can', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { queue, turns } = observedQueue(async () => {
      throw new Error('too many requests');
    }, 3_000_000_000);
    queue.add('a');
    t.mock.timers.tick(0);
    await settled();
    for (let minute = 0; minute < 4; minute++) t.mock.timers.tick(60_000);
    await settled();
    assert.equal(turns.length, 1);
    t.mock.timers.tick(60_000);
    assert.equal(turns.length, 2);
    await queue.stop();
  });

  test('does not stand still while it has more to do than it can in time', async (t) => {
    let nowMs = 0;
    t.mock.method(performance, 'now', () => nowMs);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const gates: PromiseWithResolvers<NextTurn>[] = [];
    const { queue } = observedQueue(() => {
      const gate = Promise.withResolvers<NextTurn>();
      gates.push(gate);
      return gate.promise;
    });
    for (let key = 0; key < 40; key++) queue.add(String(key));
    t.mock.timers.tick(0);
    // Each turn takes ten seconds, so that the last eight wait for forty.
    for (let round = 0; round < 4; round++) {
      nowMs += 10_000;
      for (const gate of gates.splice(0)) gate.resolve(rarely);
      await settled();
      assert.ok(queue.lag() <= 1, `lag ${queue.lag()} in round ${round}`);
    }
    nowMs += 50_000;
    assert.ok(queue.lag() >= 5, `a turn that does not end: lag ${queue.lag()}`);
    for (const gate of gates.splice(0)) gate.resolve(rarely);
    await queue.stop();
  });

  test('knows how far it is behind, and finishes what it has begun', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, turns } = observedQueue(async () => {
      await gate.promise;
      return rarely;
    });
    assert.equal(queue.lag(), 0);
    queue.add('a');
    await waitFor('the turn', () => turns.length === 1);
    const before = queue.lag();
    await delay(30);
    assert.ok(queue.lag() > before);
    let isStopped = false;
    const stopping = queue.stop().then(() => (isStopped = true));
    await delay(20);
    assert.equal(isStopped, false);
    gate.resolve();
    await stopping;
  });
});
