import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { QueueScaler } from '../cluster/objects.ts';
import { decide } from '../decide/decide.ts';
import type { QueueScalerStatus } from '../queueScaler.ts';
import { historyOf, now, observationOf, specOf } from '../testing/specs.ts';
import { buildStatus, changedConditions, isNews, type Turn } from './status.ts';

const scalerOf = (status?: QueueScalerStatus): QueueScaler => ({
  metadata: {
    name: 'media',
    namespace: 'test',
    uid: 'uid',
    resourceVersion: '1',
    generation: 3,
    creationTimestamp: '2026-11-21T11:00:00Z',
  },
  spec: specOf(),
  ...(status === undefined ? {} : { status }),
});

const turnOf = (
  seen: Parameters<typeof observationOf>[0],
  given: Partial<Turn> & { readonly before?: Parameters<typeof historyOf>[0] } = {},
): Turn => {
  const { spec = specOf(), now: at = now } = given;
  const observation = observationOf(seen);
  const history = historyOf(given.before);
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
    ...given,
  };
};

const conditionsOf = (status: QueueScalerStatus): Readonly<Record<string, string>> =>
  Object.fromEntries((status.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]));

const away = { queues: [], unknownQueues: [{ name: 'media', reason: 'Redis is away' }] };

const say = (type: string, ...args: Parameters<typeof turnOf>): string | undefined =>
  conditionsOf(buildStatus(scalerOf(), turnOf(...args)))[type];

const types = (before: QueueScalerStatus | undefined, after: QueueScalerStatus) =>
  changedConditions(before, after).map(({ type }) => type);

suite('the status', () => {
  test('says what was seen', () => {
    const status = buildStatus(
      scalerOf(),
      turnOf({ currentReplicas: 2, busyPods: 1, queue: { waiting: 12, active: 1 } }, { existingReplicas: 2 }),
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
    assert.deepEqual(conditionsOf(status), {
      Ready: 'True Reconciled',
      Active: 'True JobsFound',
      ScalingLimited: 'False DesiredWithinRange',
      FallbackActive: 'False FallbackInactive',
      Suspended: 'False NotSuspended',
      QueuesFound: 'True QueuesFound',
    });
  });

  test('of a target that is not there', () => {
    const nothing = { observation: undefined, decision: undefined, history: undefined, existingReplicas: undefined };
    const status = buildStatus(scalerOf(), turnOf({}, nothing));
    assert.deepEqual(
      [conditionsOf(status)['Ready'], conditionsOf(status)['Active']],
      ['False TargetNotFound', 'Unknown QueuesUnknown'],
    );
    assert.equal('desiredReplicas' in status, false);
  });

  test('of queues that are not known, of a fallback, a conflict, a suspension and limits', () => {
    assert.equal(say('Ready', away), 'False QueuesUnknown');
    assert.equal(say('QueuesFound', away), 'False QueuesUnknown');
    assert.equal(say('FallbackActive', away), 'False FallbackInactive');
    assert.equal(say('FallbackActive', away, { before: { failures: 2 } }), 'True FallbackHold');
    assert.equal(say('Ready', {}, { conflict: 'an HPA' }), 'False Conflict');
    assert.equal(say('Suspended', {}, { spec: specOf({ suspend: true }) }), 'True Suspended');
    assert.equal(say('ScalingLimited', { queue: { waiting: 40 } }), 'True ScaleUpLimit');
    assert.equal(say('ScalingLimited', { currentReplicas: 10, queue: { waiting: 400 } }), 'True TooManyReplicas');
    assert.equal(
      say('ScalingLimited', { currentReplicas: 1 }, { spec: specOf({ minReplicas: 1 }) }),
      'True TooFewReplicas',
    );
    assert.equal(say('Active', {}), 'False NoJobsFound');
  });

  test('keeps when a condition began, and why pods were last changed', () => {
    const first = buildStatus(scalerOf(), turnOf({}, { scaled: 'BacklogDrained' }));
    const second = buildStatus(scalerOf(first), turnOf(away, { now: now + 60_000 }));
    const at = (type: string) => second.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
    assert.deepEqual([at('Suspended'), at('Ready')], ['2026-11-21T12:00:00Z', '2026-11-21T12:01:00Z']);
    assert.deepEqual([second.lastScaleTime, second.lastScaleReason], ['2026-11-21T12:00:00Z', 'BacklogDrained']);
  });

  test('counts failures no further than they matter', () => {
    assert.equal(buildStatus(scalerOf(), turnOf(away, { before: { failures: 2 } })).consecutiveFailures, 2);
    assert.equal(buildStatus(scalerOf(), turnOf(away, { before: { failures: 900 } })).consecutiveFailures, 3);
  });

  test('is no news when only time has passed, whoever wrote it in which order', () => {
    const queue = { waiting: 1, oldestWaitSeconds: 5 };
    const status = buildStatus(scalerOf(), turnOf({ queue }));
    const later = buildStatus(
      scalerOf(status),
      turnOf({ queue: { ...queue, oldestWaitSeconds: 95 } }, { now: now + 90_000 }),
    );
    const turned = Object.fromEntries(Object.entries(status).toReversed()) as QueueScalerStatus;
    assert.equal(isNews(turned, later), false);
    assert.equal(isNews(status, buildStatus(scalerOf(status), turnOf({ queue: { waiting: 2 } }))), true);
    assert.equal(isNews(undefined, status), true);
  });

  test('tells which conditions changed, and at first those that are not as they should be', () => {
    const good = buildStatus(scalerOf(), turnOf({}));
    const bad = buildStatus(scalerOf(good), turnOf(away));
    assert.deepEqual(types(undefined, good), []);
    assert.deepEqual(types(undefined, bad), ['Ready', 'QueuesFound']);
    assert.deepEqual(types(good, bad), ['Ready', 'QueuesFound']);
    assert.deepEqual(types(bad, good), ['Ready', 'QueuesFound']);
    assert.deepEqual(types(bad, bad), []);
  });
});
