import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeHistory, now, makeObservation, makeSpec } from '../testing/specs.ts';
import { decide } from './decide.ts';
import { initialHistory } from './history.ts';
import { updateHistory } from './updateHistory.ts';

const quick = makeSpec({
  cooldownSeconds: 60,
  behavior: { scaleDown: { stabilizationWindowSeconds: 0, maxPods: 100 } },
});
const unknownQueues = [{ name: 'media', reason: 'Redis is unavailable' }];

const historyAfter = (
  seen: Parameters<typeof makeObservation>[0],
  history: Parameters<typeof makeHistory>[0] = {},
  change = 0,
) => {
  const observation = makeObservation(seen);
  const before = makeHistory(history);
  const decision = decide(quick, observation, before, now);
  return updateHistory(before, { spec: quick, observation, decision, change }, now);
};

/** Returns the decision after 200 s with an unknown queue. */
const decideAfterOutage = (
  overrides: Parameters<typeof makeSpec>[0],
  currentReplicas: number,
  seen: Parameters<typeof makeObservation>[0],
) => {
  const spec = makeSpec({ cooldownSeconds: 0, ...overrides });
  const observation = makeObservation({ currentReplicas, queues: [], unknownQueues });
  let history = makeHistory({ failures: 3 });
  for (let at = now - 200_000; at < now; at += 10_000) {
    const decision = decide(spec, observation, history, at);
    history = updateHistory(history, { spec, observation, decision, change: 0 }, at);
  }
  return decide(spec, makeObservation({ currentReplicas, ...seen }), history, now).replicas;
};

suite('history', () => {
  test('a new leader does not scale down before a whole window has passed', () => {
    const spec = makeSpec({ cooldownSeconds: 0 });
    const history = initialHistory(5, { idleMs: undefined, wasActive: false }, now);
    const decideAt = (at: number) => decide(spec, makeObservation({ currentReplicas: 5 }), history, at).replicas;
    assert.equal(decideAt(now), 5);
    assert.equal(decideAt(now + 119_000), 5);
    assert.equal(decideAt(now + 120_000), 4);
  });

  test('a new leader starts the cooldown if the status has none', () => {
    assert.equal(initialHistory(1, { idleMs: undefined, wasActive: false }, now).lastActiveAt, now);
  });

  test('a new leader continues the cooldown in the status', () => {
    assert.equal(initialHistory(1, { idleMs: 50_000, wasActive: false }, now).lastActiveAt, now - 50_000);
  });

  test('a new leader starts the cooldown if jobs were active in the status', () => {
    assert.equal(initialHistory(1, { idleMs: 50_000, wasActive: true }, now).lastActiveAt, now);
  });

  test('a time in the future does not extend the cooldown', () => {
    assert.equal(initialHistory(1, { idleMs: -90_000, wasActive: false }, now).lastActiveAt, now);
  });

  test('waiting or active jobs restart the cooldown', () => {
    assert.equal(historyAfter({ queue: { waiting: 1 } }).lastActiveAt, now);
    assert.equal(historyAfter({ queue: { active: 1 } }).lastActiveAt, now);
  });

  test('jobs of a paused queue and delayed jobs do not restart the cooldown', () => {
    const queue = { waiting: 4, delayed: 2, isPaused: true };
    assert.equal(historyAfter({ queue }, { lastActiveAt: now - 5 }).lastActiveAt, now - 5);
  });

  test('an unknown queue restarts the cooldown and counts as a failure until it is known', () => {
    const first = historyAfter({ queues: [], unknownQueues }, { backlog: 7 });
    assert.deepEqual([first.lastActiveAt, first.failures, first.backlog], [now, 1, 7]);
    assert.equal(historyAfter({ queues: [], unknownQueues }, { failures: 4 }).failures, 5);
    assert.equal(historyAfter({}, { failures: 4 }).failures, 0);
  });

  test('an unknown queue adds no recommendation', () => {
    assert.deepEqual(historyAfter({ queue: { waiting: 1 }, unknownQueues }).recommendations, []);
  });

  test('keeps the replicas for a whole window after an outage', () => {
    assert.equal(decideAfterOutage({}, 6, {}), 6);
  });

  test('an outage does not delay a fallback, neither up nor down', () => {
    const unknown = { queues: [], unknownQueues };
    const up = { scaleUp: { stabilizationWindowSeconds: 60 } };
    const down = { scaleDown: { maxPods: 100 } };
    assert.equal(decideAfterOutage({ behavior: up, fallback: { behavior: 'AtLeast', replicas: 5 } }, 2, unknown), 5);
    const fallback = { behavior: 'Static', replicas: 2 } as const;
    assert.equal(decideAfterOutage({ behavior: down, protectBusyPods: 'Off', fallback }, 6, unknown), 2);
  });

  test('drops entries older than the longest window and period', () => {
    const spec = makeSpec();
    const observation = makeObservation({ queue: { waiting: 3 } });
    const before = makeHistory({
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
    const after = updateHistory(before, { spec, observation, decision, change: 1 }, now);
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
