import { ago, quick, testCases, type Case } from '../testing/decideCases.ts';
import { now } from '../testing/specs.ts';

const up: readonly Case[] = [
  { name: 'up by four pods at most from none', seen: { queue: { waiting: 100 } }, is: [4, 'ScaleUpLimit'] },
  {
    name: 'doubles where that is more',
    seen: { currentReplicas: 5, queue: { waiting: 100 } },
    is: [10, 'BacklogAboveCapacity'],
  },
  {
    name: 'by percent of what was there',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 10, queue: { waiting: 1_000 } },
    is: [15, 'ScaleUpLimit'],
  },
  {
    name: 'part of a percent is a pod',
    spec: { maxReplicas: 100, behavior: { scaleUp: { maxPods: 1, maxPercent: 50 } } },
    seen: { currentReplicas: 3, queue: { waiting: 1_000 } },
    is: [5, 'ScaleUpLimit'],
  },
  {
    name: 'what was added within the period counts',
    seen: { currentReplicas: 4, queue: { waiting: 100 } },
    history: { scalings: [{ at: ago(14), change: 4 }] },
    is: [4, 'ScaleUpLimit'],
  },
  {
    name: 'what was added before the period does not',
    seen: { currentReplicas: 4, queue: { waiting: 40 } },
    history: { scalings: [{ at: ago(15), change: 4 }] },
    is: [8, 'BacklogAboveCapacity'],
  },
  {
    name: 'what was taken away within the period gives no right to more',
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
    name: 'to the minimum at once, and no further than a step',
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
    name: 'up to the least wanted during the window',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(59), replicas: 2 }] },
    is: [2, 'ScaleUpStabilized'],
  },
  {
    name: 'what was wanted before the window is forgotten',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 1, queue: { waiting: 20 } },
    history: { recommendations: [{ at: ago(60), replicas: 2 }] },
    is: [4, 'BacklogAboveCapacity'],
  },
  {
    name: 'a window up never takes pods away',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } },
    seen: { currentReplicas: 3, queue: { waiting: 25 } },
    history: { recommendations: [{ at: ago(5), replicas: 1 }] },
    is: [3, 'ScaleUpStabilized'],
  },
];

const down: readonly Case[] = [
  { name: 'down by one pod', seen: { currentReplicas: 5, queue: { waiting: 5 } }, is: [4, 'ScaleDownLimit'] },
  {
    name: 'what was taken away within the period counts',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(29), change: -1 }] },
    is: [4, 'ScaleDownLimit'],
  },
  {
    name: 'what was taken away before the period does not',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(30), change: -1 }] },
    is: [3, 'ScaleDownLimit'],
  },
  {
    name: 'what was added within the period may not go at once',
    seen: { currentReplicas: 4, queue: { waiting: 5 } },
    history: { scalings: [{ at: ago(10), change: 3 }] },
    is: [3, 'ScaleDownLimit'],
  },
  {
    name: 'down to the most wanted during the window',
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
    name: 'what was wanted before the window is forgotten',
    seen: { currentReplicas: 5, queue: { waiting: 5 } },
    history: { recommendations: [{ at: ago(120), replicas: 5 }] },
    is: [4, 'ScaleDownLimit'],
  },
  {
    name: 'more wanted once than there are keeps all and adds none',
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
    name: 'during a rollout that is stuck',
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
    name: 'while the backlog stays',
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
    name: 'to one before it',
    spec: quick,
    seen: { currentReplicas: 3 },
    history: { lastActiveAt: ago(299) },
    is: [1, 'CoolingDown'],
  },
  {
    name: 'the last pod stays before it',
    spec: quick,
    seen: { currentReplicas: 1 },
    history: { lastActiveAt: ago(299) },
    is: [1, 'CoolingDown'],
  },
  { name: 'no pod is added for a cooldown', seen: {}, history: { lastActiveAt: ago(1) }, is: [0, 'AtRecommendation'] },
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

testCases('steps up', up);
testCases('steps down', down);
