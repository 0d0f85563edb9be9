import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { historyOf, now, observationOf, specOf } from '../testing/specs.ts';
import { decide } from './decide.ts';
import { beginHistory } from './history.ts';
import { remember } from './remember.ts';

const quick = specOf({ cooldownSeconds: 60, behavior: { scaleDown: { stabilizationWindowSeconds: 0, maxPods: 100 } } });
const unknownQueues = [{ name: 'media', reason: 'Redis is away' }];

const rememberAfter = (
  seen: Parameters<typeof observationOf>[0],
  history: Parameters<typeof historyOf>[0] = {},
  change = 0,
) => {
  const observation = observationOf(seen);
  const before = historyOf(history);
  const decision = decide(quick, observation, before, now);
  return remember(before, { spec: quick, observation, decision, change }, now);
};

/** What is decided after 200 s of which nothing is known. */
const decideAfterOutage = (
  given: Parameters<typeof specOf>[0],
  currentReplicas: number,
  seen: Parameters<typeof observationOf>[0],
) => {
  const spec = specOf({ cooldownSeconds: 0, ...given });
  const observation = observationOf({ currentReplicas, queues: [], unknownQueues });
  let history = historyOf({ failures: 3 });
  for (let at = now - 200_000; at < now; at += 10_000) {
    const decision = decide(spec, observation, history, at);
    history = remember(history, { spec, observation, decision, change: 0 }, at);
  }
  return decide(spec, observationOf({ currentReplicas, ...seen }), history, now).replicas;
};

suite('what a decision remembers', () => {
  test('a new leader takes nothing away before it has seen a whole window', () => {
    const spec = specOf({ cooldownSeconds: 0 });
    const history = beginHistory(5, { idleMs: undefined, wasActive: false }, now);
    const decideAt = (at: number) => decide(spec, observationOf({ currentReplicas: 5 }), history, at).replicas;
    assert.equal(decideAt(now), 5);
    assert.equal(decideAt(now + 119_000), 5);
    assert.equal(decideAt(now + 120_000), 4);
  });

  test('a new leader begins the cooldown where nobody has written when it began', () => {
    assert.equal(beginHistory(1, { idleMs: undefined, wasActive: false }, now).lastActiveAt, now);
  });

  test('a new leader goes on with a cooldown that was written', () => {
    assert.equal(beginHistory(1, { idleMs: 50_000, wasActive: false }, now).lastActiveAt, now - 50_000);
  });

  test('a new leader begins the cooldown where jobs were active when the last one wrote', () => {
    assert.equal(beginHistory(1, { idleMs: 50_000, wasActive: true }, now).lastActiveAt, now);
  });

  test('a clock that was ahead does not lengthen the cooldown', () => {
    assert.equal(beginHistory(1, { idleMs: -90_000, wasActive: false }, now).lastActiveAt, now);
  });

  test('jobs that wait or are active restart the cooldown', () => {
    assert.equal(rememberAfter({ queue: { waiting: 1 } }).lastActiveAt, now);
    assert.equal(rememberAfter({ queue: { active: 1 } }).lastActiveAt, now);
  });

  test('paused jobs and later ones do not', () => {
    const queue = { waiting: 4, delayed: 2, isPaused: true };
    assert.equal(rememberAfter({ queue }, { lastActiveAt: now - 5 }).lastActiveAt, now - 5);
  });

  test('what is not known restarts the cooldown and is counted, until it is known', () => {
    const first = rememberAfter({ queues: [], unknownQueues }, { backlog: 7 });
    assert.deepEqual([first.lastActiveAt, first.failures, first.backlog], [now, 1, 7]);
    assert.equal(rememberAfter({ queues: [], unknownQueues }, { failures: 4 }).failures, 5);
    assert.equal(rememberAfter({}, { failures: 4 }).failures, 0);
  });

  test('what is not known is not remembered as wanted', () => {
    assert.deepEqual(rememberAfter({ queue: { waiting: 1 }, unknownQueues }).recommendations, []);
  });

  test('what was there during an outage stays for a whole window after it', () => {
    assert.equal(decideAfterOutage({}, 6, {}), 6);
  });

  test('an outage does not hold up a fallback, be it up or down', () => {
    const unknown = { queues: [], unknownQueues };
    const up = { scaleUp: { stabilizationWindowSeconds: 60 } };
    const down = { scaleDown: { maxPods: 100 } };
    assert.equal(decideAfterOutage({ behavior: up, fallback: { behavior: 'AtLeast', replicas: 5 } }, 2, unknown), 5);
    const fallback = { behavior: 'Static', replicas: 2 } as const;
    assert.equal(decideAfterOutage({ behavior: down, protectBusyPods: 'Off', fallback }, 6, unknown), 2);
  });

  test('no more is kept than the longest window and period', () => {
    const spec = specOf();
    const observation = observationOf({ queue: { waiting: 3 } });
    const before = historyOf({
      recommendations: [
        { at: now - 120_000, replicas: 1 },
        { at: now - 119_000, replicas: 2 },
      ],
      scalings: [
        { at: now - 30_000, change: 1 },
        { at: now - 29_000, change: -1 },
      ],
    });
    const decision = decide(spec, observation, before, now);
    const after = remember(before, { spec, observation, decision, change: 1 }, now);
    assert.deepEqual(after.recommendations, [
      { at: now - 119_000, replicas: 2 },
      { at: now, replicas: 1 },
    ]);
    assert.deepEqual(after.scalings, [
      { at: now - 29_000, change: -1 },
      { at: now, change: 1 },
    ]);
    assert.equal(after.backlog, 3);
  });
});
