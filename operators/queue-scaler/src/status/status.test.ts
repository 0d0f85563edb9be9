import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { QueueScaler } from '../api/objects.ts';
import { decide } from '../decide/decide.ts';
import type { QueueScalerStatus } from '../api/queueScaler.ts';
import { makeHistory, now, makeObservation, makeSpec } from '../testing/specs.ts';
import { buildStatus, listChangedConditions, hasChanged, type ReconcileOutcome } from './status.ts';

const makeScaler = (status?: QueueScalerStatus): QueueScaler => ({
  metadata: {
    name: 'media',
    namespace: 'test',
    uid: 'uid',
    resourceVersion: '1',
    generation: 3,
    creationTimestamp: '2026-11-21T11:00:00Z',
  },
  spec: makeSpec(),
  ...(status === undefined ? {} : { status }),
});

const makeOutcome = (
  seen: Parameters<typeof makeObservation>[0],
  overrides: Partial<ReconcileOutcome> & { readonly before?: Parameters<typeof makeHistory>[0] } = {},
): ReconcileOutcome => {
  const { spec = makeSpec(), now: at = now } = overrides;
  const observation = makeObservation(seen);
  const history = makeHistory(overrides.before);
  const decision = decide(spec, observation, history, at);
  return {
    spec,
    observation,
    decision,
    conflict: undefined,
    history,
    idleMs: at - history.lastActiveAt,
    existingReplicas: 0,
    scaled: undefined,
    now: at,
    ...overrides,
  };
};

const listConditions = (status: QueueScalerStatus): Readonly<Record<string, string>> =>
  Object.fromEntries((status.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]));

const unavailable = { queues: [], unknownQueues: [{ name: 'media', reason: 'Redis is unavailable' }] };

const conditionAfter = (type: string, ...args: Parameters<typeof makeOutcome>): string | undefined =>
  listConditions(buildStatus(makeScaler(), makeOutcome(...args)))[type];

const listChangedTypes = (before: QueueScalerStatus | undefined, after: QueueScalerStatus) =>
  listChangedConditions(before, after).map(({ type }) => type);

suite('status', () => {
  test('contains the observation and the decision', () => {
    const status = buildStatus(
      makeScaler(),
      makeOutcome({ currentReplicas: 2, busyPods: 1, queue: { waiting: 12, active: 1 } }, { existingReplicas: 2 }),
    );
    const { observedGeneration, currentReplicas, desiredReplicas, busyReplicas, backlog, queues } = status;
    assert.deepEqual([observedGeneration, currentReplicas, desiredReplicas, busyReplicas, backlog], [3, 2, 3, 1, 12]);
    assert.deepEqual(queues, [
      {
        name: 'media',
        found: true,
        paused: false,
        waiting: 12,
        prioritized: 0,
        delayed: 0,
        dueDelayed: 0,
        active: 1,
        waitingChildren: 0,
      },
    ]);
    assert.deepEqual(listConditions(status), {
      Ready: 'True Reconciled',
      Active: 'True JobsFound',
      ScalingLimited: 'False DesiredWithinRange',
      FallbackActive: 'False FallbackInactive',
      Suspended: 'False NotSuspended',
      QueuesFound: 'True QueuesFound',
    });
  });

  test('reports a missing target', () => {
    const withoutTarget = {
      observation: undefined,
      decision: undefined,
      history: undefined,
      existingReplicas: undefined,
    };
    const status = buildStatus(makeScaler(), makeOutcome({}, withoutTarget));
    assert.deepEqual(
      [listConditions(status)['Ready'], listConditions(status)['Active']],
      ['False TargetNotFound', 'Unknown QueuesUnknown'],
    );
    assert.equal('desiredReplicas' in status, false);
  });

  test('reports unknown queues, a fallback, a conflict, suspension and limits', () => {
    assert.equal(conditionAfter('Ready', unavailable), 'False QueuesUnknown');
    assert.equal(conditionAfter('QueuesFound', unavailable), 'False QueuesUnknown');
    assert.equal(conditionAfter('FallbackActive', unavailable), 'False FallbackInactive');
    assert.equal(conditionAfter('FallbackActive', unavailable, { before: { failures: 2 } }), 'True FallbackHold');
    assert.equal(conditionAfter('Ready', {}, { conflict: 'an HPA' }), 'False Conflict');
    assert.equal(conditionAfter('Suspended', {}, { spec: makeSpec({ suspend: true }) }), 'True Suspended');
    assert.equal(conditionAfter('ScalingLimited', { queue: { waiting: 40 } }), 'True ScaleUpLimit');
    assert.equal(
      conditionAfter('ScalingLimited', { currentReplicas: 10, queue: { waiting: 400 } }),
      'True TooManyReplicas',
    );
    assert.equal(
      conditionAfter('ScalingLimited', { currentReplicas: 1 }, { spec: makeSpec({ minReplicas: 1 }) }),
      'True TooFewReplicas',
    );
    assert.equal(conditionAfter('Active', {}), 'False NoJobsFound');
  });

  test('keeps the transition times and the last scaling', () => {
    const first = buildStatus(makeScaler(), makeOutcome({}, { scaled: 'BacklogDrained' }));
    const second = buildStatus(makeScaler(first), makeOutcome(unavailable, { now: now + 60_000 }));
    const at = (type: string) => second.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
    assert.deepEqual([at('Suspended'), at('Ready')], ['2026-11-21T12:00:00Z', '2026-11-21T12:01:00Z']);
    assert.deepEqual([second.lastScaleTime, second.lastScaleReason], ['2026-11-21T12:00:00Z', 'BacklogDrained']);
  });

  test('counts failures up to the failure threshold', () => {
    assert.equal(
      buildStatus(makeScaler(), makeOutcome(unavailable, { before: { failures: 2 } })).consecutiveFailures,
      2,
    );
    assert.equal(
      buildStatus(makeScaler(), makeOutcome(unavailable, { before: { failures: 900 } })).consecutiveFailures,
      3,
    );
  });

  test('does not count as changed when only time has passed or the order of its fields differs', () => {
    const queue = { waiting: 1, oldestWaitSeconds: 5 };
    const status = buildStatus(makeScaler(), makeOutcome({ queue }));
    const later = buildStatus(
      makeScaler(status),
      makeOutcome({ queue: { ...queue, oldestWaitSeconds: 95 } }, { now: now + 90_000 }),
    );
    const reversed = Object.fromEntries(Object.entries(status).toReversed()) as QueueScalerStatus;
    assert.equal(hasChanged(reversed, later), false);
    assert.equal(hasChanged(status, buildStatus(makeScaler(status), makeOutcome({ queue: { waiting: 2 } }))), true);
    assert.equal(hasChanged(undefined, status), true);
  });

  test('reports changed conditions, and for a new QueueScaler the unhealthy ones', () => {
    const good = buildStatus(makeScaler(), makeOutcome({}));
    const bad = buildStatus(makeScaler(good), makeOutcome(unavailable));
    assert.deepEqual(listChangedTypes(undefined, good), []);
    assert.deepEqual(listChangedTypes(undefined, bad), ['Ready', 'QueuesFound']);
    assert.deepEqual(listChangedTypes(good, bad), ['Ready', 'QueuesFound']);
    assert.deepEqual(listChangedTypes(bad, good), ['Ready', 'QueuesFound']);
    assert.deepEqual(listChangedTypes(bad, bad), []);
  });
});
