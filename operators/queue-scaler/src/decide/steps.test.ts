import { ago, quick, testCases, type Case } from '../testing/decideCases.ts';
import { now } from '../testing/specs.ts';

const up: readonly Case[] = [
  { name: 'up from zero by four pods at most', seen: { queue: { waiting: 100 } }, is: [4, 'ScaleUpLimit'] },
  {
    name: 'doubles when that is more',
    seen: { currentReplicas: 5, queue: { waiting: 100 } },
    is: [10, 'BacklogAboveCapacity'],
  },
  {
    name: 'by a percentage of the current replicas',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 10, queue: { waiting: 1_000 } },
    is: [15, 'ScaleUpLimit'],
  },
  {
    name: 'the percentage is rounded up',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 3, queue: { waiting: 1_000 } },
    is: [5, 'ScaleUpLimit'],
  },
  {
    name: 'pods that were added within the period count',
    seen: { currentReplicas: 4, queue: { waiting: 100 } },
    history: { scalings: [{ at: ago(14), change: 4 }] },
    is: [4, 'ScaleUpLimit'],
  },
  {
    name: 'pods that were added before the period do not',
    seen: { currentReplicas: 4, queue: { waiting: 40 } },
    history: { scalings: [{ at: ago(15), change: 4 }] },
    is: [8, 'BacklogAboveCapacity'],
  },
  {
    name: 'pods that were removed within the period do not raise the limit',
    spec: { maxReplicas: 100 },
    seen: { currentReplicas: 4, queue: { waiting: 100 } },
    history: { scalings: [{ at: ago(5), change: -3 }] },
    is: [8, 'ScaleUpLimit'],
  },
  {
    name: 'never above the maximum',
    spec: { maxReplicas: 3 },
    seen: { queue: { waiting: 100 } },
    is: [3, 'BacklogAboveCapacity'],
  },
  { name: 'to the minimum at once', spec: { minReplicas: 8 }, seen: {}, is: [8, 'BelowMinReplicas'] },
  {
    name: 'to the minimum at once, and beyond it by a step at most',
    spec: { minReplicas: 6 },
    seen: { queue: { waiting: 100 } },
    is: [6, 'ScaleUpLimit'],
  },
  {
    name: 'to the minimum while the backlog is below it',
    spec: { minReplicas: 2 },
    seen: { currentReplicas: 1, queue: { waiting: 1 } },
    is: [2, 'BelowMinReplicas'],
  },
  {
    name: 'up during a rollout',
    seen: { currentReplicas: 1, rollout: 'progressing', queue: { waiting: 15 } },
    is: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'up to the lowest recommendation of the window',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(59), replicas: 2 }] },
    is: [2, 'ScaleUpStabilized'],
  },
  {
    name: 'recommendations before the window do not count',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(60), replicas: 2 }] },
    is: [4, 'BacklogAboveCapacity'],
  },
  {
    name: 'a scale up window never scales down',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 3, queue: { waiting: 25 } },
    history: { recommendations: [{ at: ago(5), replicas: 1 }] },
    is: [3, 'ScaleUpStabilized'],
  },
];

const down: readonly Case[] = [
  { name: 'down by one pod', seen: { currentReplicas: 5, queue: { waiting: 5 } }, is: [4, 'ScaleDownLimit'] },
  {
    name: 'pods that were removed within the period count',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(29), change: -1 }] },
    is: [4, 'ScaleDownLimit'],
  },
  {
    name: 'pods that were removed before the period do not',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(30), change: -1 }] },
    is: [3, 'ScaleDownLimit'],
  },
  {
    name: 'pods that were added within the period do not raise the limit',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(10), change: 3 }] },
    is: [3, 'ScaleDownLimit'],
  },
  {
    name: 'down to the highest recommendation of the window',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: {
      recommendations: [
        { at: ago(119), replicas: 5 },
        { at: ago(10), replicas: 1 },
      ],
    },
    is: [5, 'ScaleDownStabilized'],
  },
  {
    name: 'recommendations before the window do not count',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: { recommendations: [{ at: ago(120), replicas: 5 }] },
    is: [4, 'ScaleDownLimit'],
  },
  {
    name: 'a past recommendation above the current replicas keeps them and adds none',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: { recommendations: [{ at: ago(9), replicas: 9 }] },
    is: [5, 'ScaleDownStabilized'],
  },
  {
    name: 'not during a rollout',
    spec: quick,
    seen: { currentReplicas: 5, rollout: 'progressing' },
    is: [5, 'RolloutInProgress'],
  },
  {
    name: 'during a stuck rollout',
    spec: quick,
    seen: { currentReplicas: 5, rollout: 'stuck' },
    is: [0, 'BacklogDrained'],
  },
  {
    name: 'not while the backlog grows',
    spec: quick,
    seen: { currentReplicas: 5, queue: { waiting: 6 } },
    history: { backlog: 5 },
    is: [5, 'BacklogGrowing'],
  },
  {
    name: 'while the backlog is constant',
    spec: quick,
    seen: { currentReplicas: 5, queue: { waiting: 6 } },
    history: { backlog: 6 },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'to zero after the cooldown',
    spec: quick,
    seen: { currentReplicas: 3 },
    history: { lastActiveAt: ago(300) },
    is: [0, 'BacklogDrained'],
  },
  {
    name: 'to one before the end of the cooldown',
    spec: quick,
    seen: { currentReplicas: 3 },
    history: { lastActiveAt: ago(299) },
    is: [1, 'CoolingDown'],
  },
  {
    name: 'the last pod stays until the end of the cooldown',
    spec: quick,
    seen: { currentReplicas: 1 },
    history: { lastActiveAt: ago(299) },
    is: [1, 'CoolingDown'],
  },
  { name: 'a cooldown adds no pod', seen: {}, history: { lastActiveAt: ago(1) }, is: [0, 'AtRecommendation'] },
  {
    name: 'no cooldown',
    spec: { ...quick, cooldownSeconds: 0 },
    seen: { currentReplicas: 1 },
    history: { lastActiveAt: now },
    is: [0, 'BacklogDrained'],
  },
  {
    name: 'a paused queue cools down',
    spec: quick,
    seen: { currentReplicas: 2, queue: { waiting: 9, isPaused: true } },
    is: [0, 'BacklogDrained'],
  },
  {
    name: 'not below the minimum',
    spec: { ...quick, minReplicas: 2 },
    seen: { currentReplicas: 5 },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'from above the maximum in steps',
    spec: { maxReplicas: 3 },
    seen: { currentReplicas: 6, queue: { waiting: 100 } },
    is: [5, 'ScaleDownLimit'],
  },
];

testCases('scale up', up);
testCases('scale down', down);
