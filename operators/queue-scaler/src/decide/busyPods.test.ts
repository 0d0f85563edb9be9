import { makeBusyObservation, quick, testCases, type Case } from '../testing/decideCases.ts';

const oneEach = { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] };

const busy: readonly Case[] = [
  {
    name: 'not below the busy pods',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(3) },
    is: [3, 'BacklogDrained'],
  },
  {
    name: 'not below the busy pods, even if the maximum is lower',
    spec: { ...quick, maxReplicas: 2 },
    seen: { currentReplicas: 5, ...makeBusyObservation(4) },
    is: [4, 'BusyPods'],
  },
  {
    name: 'up when more pods are busy than desired',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 1, busyPods: 2, queue: { active: 2 } },
    is: [2, 'BacklogAboveCapacity'],
  },
  {
    name: 'not up for the additional busy pods of a rollout',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'progressing', queue: { active: 5 } },
    is: [4, 'AtRecommendation'],
  },
  {
    name: 'Strict: down by the number of idle pods',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), idlePods: 2 },
    is: [3, 'BusyPods'],
  },
  {
    name: 'Strict: not with an unattributed job, which any pod may be processing',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    is: [5, 'BusyPods'],
  },
  {
    name: 'Prefer: down with an unattributed job',
    spec: quick,
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    is: [1, 'BacklogDrained'],
  },
  {
    name: 'Strict: not while a busy pod is not ready',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), busyUnreadyPods: 1 },
    is: [5, 'BusyPods'],
  },
  {
    name: 'Strict: not with a busy pod in a stuck rollout, because both ReplicaSets would be scaled down',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), rollout: 'stuck' },
    is: [5, 'BusyPods'],
  },
  {
    name: 'Prefer: down in a stuck rollout',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(2), rollout: 'stuck' },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'not up for the additional busy pods of a stuck rollout',
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'stuck', queue: { active: 5 } },
    is: [4, 'AtRecommendation'],
  },
  {
    name: 'Prefer: down while a busy pod is not ready',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(2), busyUnreadyPods: 1 },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'Off: below the busy pods',
    spec: { ...quick, ...oneEach, protectBusyPods: 'Off', maxReplicas: 2 },
    seen: { currentReplicas: 5, ...makeBusyObservation(4) },
    is: [2, 'BacklogDrained'],
  },
];

testCases('protection of busy pods', busy);
