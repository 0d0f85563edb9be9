import { quick, testCases, type Case } from '../testing/decideCases.ts';

const unavailable = [{ name: 'media', reason: 'Redis is unavailable' }];
const unknown = { queues: [], unknownQueues: unavailable };

const unknowns: readonly Case[] = [
  {
    name: 'keeps the replicas while Redis is unavailable',
    spec: quick,
    seen: { currentReplicas: 3, ...unknown },
    expected: [3, 'QueuesUnknown'],
  },
  { name: 'starts no pod while Redis is unavailable', seen: unknown, expected: [0, 'QueuesUnknown'] },
  {
    name: 'keeps the replicas until the failure threshold is reached',
    seen: { currentReplicas: 3, ...unknown },
    history: { failures: 1 },
    expected: [3, 'QueuesUnknown'],
  },
  {
    name: 'fallback Hold keeps the replicas',
    seen: { currentReplicas: 3, ...unknown },
    history: { failures: 2 },
    expected: [3, 'FallbackHold'],
  },
  {
    name: 'fallback AtLeast scales up',
    spec: { fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: unknown,
    history: { failures: 2 },
    expected: [2, 'FallbackAtLeast'],
  },
  {
    name: 'fallback AtLeast does not scale down',
    spec: { ...quick, fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 9 },
    expected: [5, 'FallbackAtLeast'],
  },
  {
    name: 'fallback AtLeast waits for the threshold',
    spec: { fallback: { behavior: 'AtLeast', replicas: 2, failureThreshold: 5 } },
    seen: unknown,
    history: { failures: 3 },
    expected: [0, 'QueuesUnknown'],
  },
  {
    name: 'fallback Static scales up, in steps',
    spec: { fallback: { behavior: 'Static', replicas: 9 } },
    seen: unknown,
    history: { failures: 2 },
    expected: [4, 'FallbackStatic'],
  },
  {
    name: 'fallback Static does not scale down protected pods',
    spec: { ...quick, fallback: { behavior: 'Static', replicas: 1 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 2 },
    expected: [5, 'FallbackStatic'],
  },
  {
    name: 'fallback Static scales down without protection',
    spec: { ...quick, protectBusyPods: 'Off', fallback: { behavior: 'Static', replicas: 1 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 2 },
    expected: [1, 'FallbackStatic'],
  },
  {
    name: 'a known queue scales up although another one is unknown',
    seen: { currentReplicas: 1, queue: { waiting: 15 }, unknownQueues: unavailable },
    expected: [3, 'QueuesUnknown'],
  },
  {
    name: 'an empty queue does not scale down while another one is unknown',
    spec: quick,
    seen: { currentReplicas: 3, queue: {}, unknownQueues: unavailable },
    expected: [3, 'QueuesUnknown'],
  },
  {
    name: 'the minimum applies although all queues are unknown',
    spec: { minReplicas: 2 },
    seen: unknown,
    expected: [2, 'QueuesUnknown'],
  },
  {
    name: 'suspended: nothing changes',
    spec: { suspend: true },
    seen: { currentReplicas: 1, queue: { waiting: 99 } },
    expected: [1, 'Suspended'],
  },
  {
    name: 'suspended: does not scale to the minimum either',
    spec: { suspend: true, minReplicas: 3 },
    seen: { currentReplicas: 1 },
    expected: [1, 'Suspended'],
  },
  {
    name: 'suspended: no fallback',
    spec: { suspend: true, fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: unknown,
    history: { failures: 9 },
    expected: [0, 'Suspended'],
  },
];

testCases('unknown queues', unknowns);
