import { makeBusyObservation, quick, testCases, type Case } from '../testing/decideCases.ts';

const onePerReplica = { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] };

const busy: readonly Case[] = [
  {
    name: 'never scales below the number of busy pods',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(3) },
    expected: [3, 'BacklogDrained'],
  },
  {
    name: 'never scales below the number of busy pods, even if the maximum is lower',
    spec: { ...quick, maxReplicas: 2 },
    seen: { currentReplicas: 5, ...makeBusyObservation(4) },
    expected: [4, 'BusyPods'],
  },
  {
    name: 'scales up when more pods are busy than desired',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 1, busyPods: 2, queue: { active: 2 } },
    expected: [2, 'BacklogAboveCapacity'],
  },
  {
    name: 'does not scale up for the additional busy pods of a rollout',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }] },
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'progressing', queue: { active: 5 } },
    expected: [4, 'AtRecommendation'],
  },
  {
    name: 'Strict: removes only as many pods as are idle',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), idlePods: 2 },
    expected: [3, 'BusyPods'],
  },
  {
    name: 'Strict: removes no pod while a job is unattributed, because any pod may be processing it',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    expected: [5, 'BusyPods'],
  },
  {
    name: 'Prefer: scales down despite an unattributed job',
    spec: quick,
    seen: { currentReplicas: 5, busyPods: 1, idlePods: 4, unattributedJobs: 1, queue: { active: 2 } },
    expected: [1, 'BacklogDrained'],
  },
  {
    name: 'Strict: removes no pod while a busy pod is not ready',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), busyUnreadyPods: 1 },
    expected: [5, 'BusyPods'],
  },
  {
    name: 'Strict: removes no pod while one is busy in a stuck rollout, because both ReplicaSets would be scaled down',
    spec: { ...quick, protectBusyPods: 'Strict' },
    seen: { currentReplicas: 5, ...makeBusyObservation(2), rollout: 'stuck' },
    expected: [5, 'BusyPods'],
  },
  {
    name: 'Prefer: scales down during a stuck rollout',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(2), rollout: 'stuck' },
    expected: [2, 'BacklogDrained'],
  },
  {
    name: 'does not scale up for the additional busy pods of a stuck rollout',
    seen: { currentReplicas: 4, busyPods: 5, rollout: 'stuck', queue: { active: 5 } },
    expected: [4, 'AtRecommendation'],
  },
  {
    name: 'Prefer: scales down while a busy pod is not ready',
    spec: quick,
    seen: { currentReplicas: 5, ...makeBusyObservation(2), busyUnreadyPods: 1 },
    expected: [2, 'BacklogDrained'],
  },
  {
    name: 'Off: scales below the number of busy pods',
    spec: { ...quick, ...onePerReplica, protectBusyPods: 'Off', maxReplicas: 2 },
    seen: { currentReplicas: 5, ...makeBusyObservation(4) },
    expected: [2, 'BacklogDrained'],
  },
];

testCases('protection of busy pods', busy);
