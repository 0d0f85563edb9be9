import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import type { QueueScalerSpec } from '../api/queueScaler.ts';
import { now, makeObservation, makeQueue, makeSpec } from '../testing/specs.ts';
import { decide } from './decide.ts';
import type { History } from './history.ts';
import { updateHistory } from './updateHistory.ts';
import { isActive, type Observation, type QueueObservation } from './observation.ts';

const count = (max: number) => fc.nat({ max });

const specs: fc.Arbitrary<QueueScalerSpec> = fc
  .record({
    bounds: fc.tuple(count(12), fc.integer({ min: 1, max: 12 })),
    cooldownSeconds: count(400),
    tolerancePercent: count(50),
    protectBusyPods: fc.constantFrom('Prefer' as const, 'Strict' as const, 'Off' as const),
    jobsPerReplica: fc.integer({ min: 1, max: 20 }),
    jobsPerVideoReplica: fc.integer({ min: 1, max: 4 }),
    fallback: fc.constantFrom('Hold' as const, 'Static' as const, 'AtLeast' as const),
    replicas: count(12),
    up: fc.record({
      stabilizationWindowSeconds: count(60),
      maxPods: fc.integer({ min: 1, max: 12 }),
      maxPercent: count(200),
      periodSeconds: fc.integer({ min: 1, max: 60 }),
    }),
    down: fc.record({
      stabilizationWindowSeconds: count(200),
      maxPods: fc.integer({ min: 1, max: 12 }),
      periodSeconds: fc.integer({ min: 1, max: 60 }),
    }),
  })
  .map(({ bounds: [a, b], jobsPerReplica, jobsPerVideoReplica, fallback, replicas, up, down, ...rest }) =>
    makeSpec({
      ...rest,
      minReplicas: Math.min(a, b),
      maxReplicas: Math.max(a, b),
      queues: [
        { name: 'media', prefix: 'bull', jobsPerReplica },
        { name: 'video', prefix: 'bull', jobsPerReplica: jobsPerVideoReplica },
      ],
      fallback: { behavior: fallback, replicas: Math.min(replicas, Math.max(a, b)) },
      behavior: { scaleUp: up, scaleDown: down },
    }),
  );

const queue = (name: string): fc.Arbitrary<QueueObservation> =>
  fc
    .record({
      isPaused: fc.boolean(),
      waiting: count(60),
      prioritized: count(20),
      dueDelayed: count(5),
      active: count(12),
    })
    .map((counts) => makeQueue({ ...counts, name }));

const unknownQueues = [{ name: 'video', reason: 'Redis is unavailable' }];

const observations: fc.Arbitrary<Observation> = fc
  .record({
    currentReplicas: count(14),
    media: queue('media'),
    video: fc.option(queue('video'), { nil: undefined, freq: 4 }),
    busyPods: count(12),
    busyUnreadyPods: count(1),
    rollout: fc.constantFrom('none' as const, 'progressing' as const, 'stuck' as const),
    unattributedJobs: count(2),
  })
  .map(({ media, video, busyPods, currentReplicas, ...rest }) =>
    makeObservation({
      ...rest,
      currentReplicas,
      busyPods: Math.min(busyPods, currentReplicas),
      queues: video === undefined ? [media] : [media, video],
      unknownQueues: video === undefined ? unknownQueues : [],
    }),
  );

const agoUpTo = (ms: number) => count(ms).map((age) => now - age);

const histories: fc.Arbitrary<History> = fc.record({
  recommendations: fc.array(fc.record({ at: agoUpTo(200_000), replicas: count(12) }), { maxLength: 5 }),
  held: fc.array(fc.record({ at: agoUpTo(200_000), replicas: count(12) }), { maxLength: 3 }),
  scalings: fc.array(fc.record({ at: agoUpTo(60_000), change: fc.integer({ min: -3, max: 3 }) }), { maxLength: 4 }),
  backlog: fc.option(count(80), { nil: undefined }),
  lastActiveAt: agoUpTo(600_000),
  failures: count(5),
});

/** Checks a property on random inputs. fast-check prints the seed of a failure. */
const checkProperty = (check: (spec: QueueScalerSpec, seen: Observation, history: History) => void): void =>
  fc.assert(fc.property(specs, observations, histories, check), { numRuns: 5_000 });

suite('for any observation', () => {
  test('a decision is never below the busy pods, unless their protection is off', () => {
    checkProperty((spec, seen, history) => {
      fc.pre(spec.protectBusyPods !== 'Off');
      assert.ok(decide(spec, seen, history, now).replicas >= seen.busyPods);
    });
  });

  test('replicas within the bounds stay within them, and replicas outside move no further away', () => {
    checkProperty((spec, seen, history) => {
      const { replicas } = decide(spec, seen, history, now);
      assert.ok(Number.isInteger(replicas));
      assert.ok(replicas >= spec.minReplicas);
      assert.ok(replicas <= Math.max(spec.maxReplicas, seen.currentReplicas));
    });
  });

  test('a larger backlog never means fewer pods', () => {
    fc.assert(
      fc.property(specs, observations, histories, count(50), (spec, seen, history, additional) => {
        const [first, ...others] = seen.queues;
        assert.ok(first !== undefined);
        const fuller = { ...seen, queues: [{ ...first, waiting: first.waiting + additional }, ...others] };
        assert.ok(decide(spec, fuller, history, now).replicas >= decide(spec, seen, history, now).replicas);
      }),
      { numRuns: 5_000 },
    );
  });

  test('an unknown queue never removes a pod, except with Off and a Static fallback', () => {
    checkProperty((spec, seen, history) => {
      fc.pre(spec.protectBusyPods !== 'Off' || spec.fallback.behavior !== 'Static');
      const blind = { ...seen, unknownQueues };
      assert.ok(decide(spec, blind, history, now).replicas >= seen.currentReplicas);
    });
  });

  test('with Strict no more pods are removed than are known to be idle', () => {
    checkProperty((spec, seen, history) => {
      fc.pre(spec.protectBusyPods === 'Strict');
      const removable = seen.unattributedJobs > 0 ? 0 : seen.idlePods;
      assert.ok(decide(spec, seen, history, now).replicas >= seen.currentReplicas - removable);
    });
  });

  test('the last pod stays while a job is runnable or active', () => {
    checkProperty((spec, seen, history) => {
      fc.pre(isActive(seen) && seen.currentReplicas > 0);
      assert.ok(decide(spec, seen, history, now).replicas >= 1);
    });
  });

  test('a constant observation leads to constant replicas, without going back and forth', () => {
    checkProperty((spec, seen, history) => {
      let [before, current] = [history, seen.currentReplicas];
      const changes: number[] = [];
      // More than twice the longest cooldown and windows together, at the default interval.
      for (let at = now; at < now + 1_600_000; at += 10_000) {
        const observation = {
          ...seen,
          rollout: 'none' as const,
          currentReplicas: current,
          busyPods: Math.min(seen.busyPods, current),
          idlePods: Math.max(0, current - seen.busyPods),
        };
        const decision = decide(spec, observation, before, at);
        const change = decision.replicas - current;
        before = updateHistory(before, { spec, observation, decision, change }, at);
        if (change !== 0) changes.push(change);
        current = decision.replicas;
      }
      assert.ok(
        changes.every((change) => change > 0) || changes.every((change) => change < 0),
        `changes: ${changes.join(', ')}`,
      );
    });
  });
});
