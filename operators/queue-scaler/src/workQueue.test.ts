import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { openWorkQueue, type ReconcileResult, type WorkQueue } from './workQueue.ts';

const rarely: ReconcileResult = { requeueAfterMs: 600_000, intervalMs: 600_000 };

/** A started reconcile. */
interface Reconcile {
  readonly key: string;
  /** Time on the mocked clock. */
  readonly atMs: number;
}

interface ObservedQueue {
  readonly queue: WorkQueue;
  readonly reconciles: readonly Reconcile[];
  /** Advances the mocked clock and lets every promise settle. */
  advance(ms: number): Promise<void>;
}

/** Opens a work queue on a mocked clock, without jitter. */
const observeQueue = (
  t: TestContext,
  reconcile: (key: string, attempt: number) => Promise<ReconcileResult | undefined>,
  retryAfterMs?: number,
): ObservedQueue => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.method(Math, 'random', () => 1);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reconciles: Reconcile[] = [];
  const queue = openWorkQueue({
    reconcile: (key) => {
      reconciles.push({ key, atMs: nowMs });
      return reconcile(key, reconciles.filter((each) => each.key === key).length);
    },
    onError: () => undefined,
    retryAfterMs: () => retryAfterMs,
  });
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms;
    t.mock.timers.tick(ms);
    await settle();
  };
  return { queue, reconciles, advance };
};

/** Resolves after all promises that can settle now. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const fail = async (): Promise<never> => {
  throw new Error('unavailable');
};

suite('work queue', () => {
  test('reconciles a key once more if it was enqueued meanwhile, and never twice at the same time', async (t) => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const { queue, reconciles, advance } = observeQueue(t, async () => {
      running += 1;
      assert.equal(running, 1);
      await gate.promise;
      running -= 1;
      return rarely;
    });
    queue.enqueue('a');
    await advance(0);
    for (let times = 0; times < 5; times++) queue.enqueue('a');
    await advance(60_000);
    assert.equal(reconciles.length, 1);
    gate.resolve();
    await settle();
    await advance(0);
    assert.equal(reconciles.length, 2);
    await advance(rarely.requeueAfterMs - 1);
    assert.equal(reconciles.length, 2);
    await queue.stop();
  });

  test('reconciles eight keys at once, and then the others', async (t) => {
    const gate = Promise.withResolvers<void>();
    const { queue, reconciles, advance } = observeQueue(t, async () => {
      await gate.promise;
      return rarely;
    });
    for (let key = 0; key < 20; key++) queue.enqueue(String(key));
    await advance(60_000);
    assert.equal(reconciles.length, 8);
    gate.resolve();
    await settle();
    assert.equal(reconciles.length, 20);
    await queue.stop();
  });

  test('reconciles a key again after the requested time, and forgets a key that no longer exists', async (t) => {
    const { queue, reconciles, advance } = observeQueue(t, async (_key, attempt) =>
      attempt < 3 ? { requeueAfterMs: 20, intervalMs: 20 } : undefined,
    );
    queue.enqueue('a');
    await advance(0);
    await advance(20);
    await advance(20);
    assert.deepEqual(
      reconciles.map(({ atMs }) => atMs),
      [0, 20, 40],
    );
    await advance(600_000);
    assert.equal(reconciles.length, 3);
    queue.enqueue('a');
    await advance(0);
    assert.equal(reconciles.length, 4);
    await queue.stop();
  });

  test('doubles the back-off with each failure, and does not end it early for a change', async (t) => {
    const { queue, reconciles, advance } = observeQueue(t, fail);
    queue.enqueue('a');
    for (let passed = 0; passed <= 3_000; passed += 500) {
      await advance(passed === 0 ? 0 : 500);
      queue.enqueue('a');
    }
    assert.deepEqual(
      reconciles.map(({ atMs }) => atMs),
      [0, 1_000, 3_000],
    );
    await queue.stop();
  });

  test('shortens the back-off at random, by at most a half', async (t) => {
    const { queue, reconciles, advance } = observeQueue(t, fail);
    t.mock.method(Math, 'random', () => 0);
    queue.enqueue('a');
    for (const ms of [0, 499, 1]) await advance(ms);
    assert.deepEqual(
      reconciles.map(({ atMs }) => atMs),
      [0, 500],
    );
    await queue.stop();
  });

  test('waits for the delay that the server requests', async (t) => {
    const { queue, reconciles, advance } = observeQueue(
      t,
      (_key, attempt) => (attempt === 1 ? fail() : Promise.resolve(rarely)),
      1_500,
    );
    queue.enqueue('a');
    await advance(0);
    await advance(1_499);
    assert.equal(reconciles.length, 1);
    await advance(1);
    assert.equal(reconciles.length, 2);
    await queue.stop();
  });

  test('doubles the back-off even if the server requests less', async (t) => {
    const { queue, reconciles, advance } = observeQueue(t, fail, 1);
    queue.enqueue('a');
    for (const ms of [0, 999, 1, 1_999, 1]) await advance(ms);
    assert.deepEqual(
      reconciles.map(({ atMs }) => atMs),
      [0, 1_000, 3_000],
    );
    await queue.stop();
  });

  test('waits at most five minutes, even if the server requests more than a timer supports', async (t) => {
    const { queue, reconciles, advance } = observeQueue(t, fail, 3_000_000_000);
    queue.enqueue('a');
    await advance(0);
    await advance(5 * 60_000 - 1);
    assert.equal(reconciles.length, 1);
    await advance(1);
    assert.equal(reconciles.length, 2);
    await queue.stop();
  });

  test('misses no interval while a long queue makes progress', async (t) => {
    const gates: PromiseWithResolvers<ReconcileResult>[] = [];
    const { queue, advance } = observeQueue(t, () => {
      const gate = Promise.withResolvers<ReconcileResult>();
      gates.push(gate);
      return gate.promise;
    });
    for (let key = 0; key < 40; key++) queue.enqueue(String(key));
    await advance(0);
    // Each reconcile takes ten seconds, so the last eight keys wait for forty.
    for (let round = 0; round < 4; round++) {
      await advance(10_000);
      for (const gate of gates.splice(0)) gate.resolve(rarely);
      await settle();
      assert.ok(queue.missedIntervals() <= 1, `${queue.missedIntervals()} intervals in round ${round}`);
    }
    await advance(50_000);
    assert.ok(queue.missedIntervals() >= 5, `a reconcile that does not end: ${queue.missedIntervals()} intervals`);
    for (const gate of gates.splice(0)) gate.resolve(rarely);
    await queue.stop();
  });

  test('counts missed intervals, and stops when the running reconcile has ended', async (t) => {
    const gate = Promise.withResolvers<void>();
    const { queue, advance } = observeQueue(t, async () => {
      await gate.promise;
      return rarely;
    });
    assert.equal(queue.missedIntervals(), 0);
    queue.enqueue('a');
    await advance(0);
    await advance(20_000);
    assert.equal(queue.missedIntervals(), 2);
    let isStopped = false;
    const stopping = queue.stop().then(() => (isStopped = true));
    await settle();
    assert.equal(isStopped, false);
    gate.resolve();
    await stopping;
  });
});
