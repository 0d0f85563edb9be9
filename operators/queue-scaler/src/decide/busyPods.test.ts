import { busyOf, quick, testCases, type Case } from '../testing/decideCases.ts';

const oneEach = { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] };

const busy: readonly Case[] = [
  {
    name: 'not below the busy pods',
    spec: quick,
    seen: { currentReplicas: 5, ...busyOf(3) },
    is: [3, 'BacklogDrained'],
  },
  {
    name: 'not below the busy pods, though the maximum is',
    spec: { ...quick, maxReplicas: 2 },
    seen: { currentReplicas: 5, ...busyOf(4) },
    is: [4, 'BusyPods'],
  },
  {
    name: 'up for more busy pods than are asked for',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 1, busyPods: 2, queue: { active: 2 } },
    is: [2, 'BacklogAboveCapacity'],
  },
  {
    name: 'not up for the busy pods that a rollout adds for a while',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'progressing', queue: { active: 5 } },
    is: [4, 'AtRecommendation'],
  },
  {
    name: 'strict: by the idle pods',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...busyOf(2), idlePods: 2 },
    is: [3, 'BusyPods'],
  },
  {
    name: 'strict: an active job that nobody is known to hold may be held by any pod',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    is: [5, 'BusyPods'],
  },
  {
    name: 'preferred: an active job that nobody is known to hold',
    spec: quick,
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    is: [1, 'BacklogDrained'],
  },
  {
    name: 'strict: not while a busy pod is not ready',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...busyOf(2), busyUnreadyPods: 1 },
    is: [5, 'BusyPods'],
  },
  {
    name: 'strict: not while a pod is busy in a rollout that is stuck, since both ReplicaSets would shrink',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...busyOf(2), rollout: 'stuck' },
    is: [5, 'BusyPods'],
  },
  {
    name: 'preferred: though the rollout is stuck',
    spec: quick,
    seen: { currentReplicas: 5, ...busyOf(2), rollout: 'stuck' },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'not up for the busy pods that a stuck rollout has added',
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'stuck', queue: { active: 5 } },
    is: [4, 'AtRecommendation'],
  },
  {
    name: 'preferred: though a busy pod is not ready',
    spec: quick,
    seen: { currentReplicas: 5, ...busyOf(2), busyUnreadyPods: 1 },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'unprotected: below the busy pods',
    spec: { ...quick, ...oneEach, protectBusyPods: 'Off', maxReplicas: 2 },
    seen: { currentReplicas: 5, ...busyOf(4) },
    is: [2, 'BacklogDrained'],
  },
];

testCases('pods at work', busy);
