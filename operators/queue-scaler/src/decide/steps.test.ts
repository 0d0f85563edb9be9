import { ago, quick, testCases, type Case } from '../testing/decideCases.ts';
import { now } from '../testing/specs.ts';

const up: readonly Case[] = [
  { name: 'adds at most four pods to none', seen: { queue: { waiting: 100 } }, expected: [4, 'ScaleUpLimit'] },
  {
    name: 'doubles the replicas when that adds more than four',
    seen: { currentReplicas: 5, queue: { waiting: 100 } },
    expected: [10, 'BacklogAboveCapacity'],
  },
  {
    name: 'adds at most a percentage of the current replicas',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 10, queue: { waiting: 1_000 } },
    expected: [15, 'ScaleUpLimit'],
  },
  {
    name: 'rounds the percentage up',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 3, queue: { waiting: 1_000 } },
    expected: [5, 'ScaleUpLimit'],
  },
  {
    name: 'counts pods that were added within the period',
    seen: { currentReplicas: 4, queue: { waiting: 100 } },
    history: { scalings: [{ at: ago(14), change: 4 }] },
    expected: [4, 'ScaleUpLimit'],
  },
  {
    name: 'ignores pods that were added before the period',
    seen: { currentReplicas: 4, queue: { waiting: 40 } },
    history: { scalings: [{ at: ago(15), change: 4 }] },
    expected: [8, 'BacklogAboveCapacity'],
  },
  {
    name: 'pods that were removed within the period do not raise the limit',
    spec: { maxReplicas: 100 },
    seen: { currentReplicas: 4, queue: { waiting: 100 } },
    history: { scalings: [{ at: ago(5), change: -3 }] },
    expected: [8, 'ScaleUpLimit'],
  },
  {
    name: 'never exceeds the maximum',
    spec: { maxReplicas: 3 },
    seen: { queue: { waiting: 100 } },
    expected: [3, 'BacklogAboveCapacity'],
  },
  { name: 'scales up to the minimum at once', spec: { minReplicas: 8 }, seen: {}, expected: [8, 'BelowMinReplicas'] },
  {
    name: 'scales up to the minimum at once, but no further if it already exceeds the limit of a step',
    spec: { minReplicas: 6 },
    seen: { queue: { waiting: 100 } },
    expected: [6, 'ScaleUpLimit'],
  },
  {
    name: 'scales up to the minimum even if the backlog needs fewer pods',
    spec: { minReplicas: 2 },
    seen: { currentReplicas: 1, queue: { waiting: 1 } },
    expected: [2, 'BelowMinReplicas'],
  },
  {
    name: 'scales up during a rollout',
    seen: { currentReplicas: 1, rollout: 'progressing', queue: { waiting: 15 } },
    expected: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'scales up only to the lowest recommendation within the window',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(59), replicas: 2 }] },
    expected: [2, 'ScaleUpStabilized'],
  },
  {
    name: 'ignores recommendations before the window',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(60), replicas: 2 }] },
    expected: [4, 'BacklogAboveCapacity'],
  },
  {
    name: 'a low recommendation within the scale up window does not scale down',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 3, queue: { waiting: 25 } },
    history: { recommendations: [{ at: ago(5), replicas: 1 }] },
    expected: [3, 'ScaleUpStabilized'],
  },
];

const down: readonly Case[] = [
  {
    name: 'removes one pod at a time',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    expected: [4, 'ScaleDownLimit'],
  },
  {
    name: 'counts pods that were removed within the period',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(29), change: -1 }] },
    expected: [4, 'ScaleDownLimit'],
  },
  {
    name: 'ignores pods that were removed before the period',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(30), change: -1 }] },
    expected: [3, 'ScaleDownLimit'],
  },
  {
    name: 'pods that were added within the period do not raise the limit',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(10), change: 3 }] },
    expected: [3, 'ScaleDownLimit'],
  },
  {
    name: 'scales down only to the highest recommendation within the window',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: {
      recommendations: [
        { at: ago(119), replicas: 5 },
        { at: ago(10), replicas: 1 },
      ],
    },
    expected: [5, 'ScaleDownStabilized'],
  },
  {
    name: 'ignores recommendations before the window',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: { recommendations: [{ at: ago(120), replicas: 5 }] },
    expected: [4, 'ScaleDownLimit'],
  },
  {
    name: 'a past recommendation above the current replicas adds no pod',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: { recommendations: [{ at: ago(9), replicas: 9 }] },
    expected: [5, 'ScaleDownStabilized'],
  },
  {
    name: 'does not scale down during a rollout',
    spec: quick,
    seen: { currentReplicas: 5, rollout: 'progressing' },
    expected: [5, 'RolloutInProgress'],
  },
  {
    name: 'scales down during a stuck rollout',
    spec: quick,
    seen: { currentReplicas: 5, rollout: 'stuck' },
    expected: [0, 'BacklogDrained'],
  },
  {
    name: 'does not scale down while the backlog grows',
    spec: quick,
    seen: { currentReplicas: 5, queue: { waiting: 6 } },
    history: { backlog: 5 },
    expected: [5, 'BacklogGrowing'],
  },
  {
    name: 'scales down while the backlog is constant',
    spec: quick,
    seen: { currentReplicas: 5, queue: { waiting: 6 } },
    history: { backlog: 6 },
    expected: [2, 'BacklogDrained'],
  },
  {
    name: 'scales to zero after the cooldown',
    spec: quick,
    seen: { currentReplicas: 3 },
    history: { lastActiveAt: ago(300) },
    expected: [0, 'BacklogDrained'],
  },
  {
    name: 'scales to one before the end of the cooldown',
    spec: quick,
    seen: { currentReplicas: 3 },
    history: { lastActiveAt: ago(299) },
    expected: [1, 'CoolingDown'],
  },
  {
    name: 'keeps the last pod until the end of the cooldown',
    spec: quick,
    seen: { currentReplicas: 1 },
    history: { lastActiveAt: ago(299) },
    expected: [1, 'CoolingDown'],
  },
  { name: 'a cooldown adds no pod', seen: {}, history: { lastActiveAt: ago(1) }, expected: [0, 'AtRecommendation'] },
  {
    name: 'scales to zero at once without a cooldown',
    spec: { ...quick, cooldownSeconds: 0 },
    seen: { currentReplicas: 1 },
    history: { lastActiveAt: now },
    expected: [0, 'BacklogDrained'],
  },
  {
    name: 'scales to zero although a paused queue has jobs',
    spec: quick,
    seen: { currentReplicas: 2, queue: { waiting: 9, isPaused: true } },
    expected: [0, 'BacklogDrained'],
  },
  {
    name: 'never scales below the minimum',
    spec: { ...quick, minReplicas: 2 },
    seen: { currentReplicas: 5 },
    expected: [2, 'BacklogDrained'],
  },
  {
    name: 'scales down to the maximum in steps',
    spec: { maxReplicas: 3 },
    seen: { currentReplicas: 6, queue: { waiting: 100 } },
    expected: [5, 'ScaleDownLimit'],
  },
];

testCases('scale up', up);
testCases('scale down', down);
