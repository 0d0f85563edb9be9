import { quick, testCases, type Case } from '../testing/decideCases.ts';

const away = [{ name: 'media', reason: 'Redis is unavailable' }];
const unknown = { queues: [], unknownQueues: away };

const unknowns: readonly Case[] = [
  { name: 'Redis unavailable: held', spec: quick, seen: { currentReplicas: 3, ...unknown }, is: [3, 'QueuesUnknown'] },
  { name: 'Redis unavailable and no pods: held', seen: unknown, is: [0, 'QueuesUnknown'] },
  {
    name: 'held until the poll before the threshold',
    seen: { currentReplicas: 3, ...unknown },
    history: { failures: 1 },
    is: [3, 'QueuesUnknown'],
  },
  {
    name: 'fallback Hold',
    seen: { currentReplicas: 3, ...unknown },
    history: { failures: 2 },
    is: [3, 'FallbackHold'],
  },
  {
    name: 'fallback AtLeast scales up',
    spec: { fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: unknown,
    history: { failures: 2 },
    is: [2, 'FallbackAtLeast'],
  },
  {
    name: 'fallback AtLeast does not scale down',
    spec: { ...quick, fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 9 },
    is: [5, 'FallbackAtLeast'],
  },
  {
    name: 'fallback AtLeast waits for the threshold',
    spec: { fallback: { behavior: 'AtLeast', replicas: 2, failureThreshold: 5 } },
    seen: unknown,
    history: { failures: 3 },
    is: [0, 'QueuesUnknown'],
  },
  {
    name: 'fallback Static scales up, in steps',
    spec: { fallback: { behavior: 'Static', replicas: 9 } },
    seen: unknown,
    history: { failures: 2 },
    is: [4, 'FallbackStatic'],
  },
  {
    name: 'fallback Static does not scale down protected pods',
    spec: { ...quick, fallback: { behavior: 'Static', replicas: 1 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 2 },
    is: [5, 'FallbackStatic'],
  },
  {
    name: 'fallback Static scales down without protection',
    spec: { ...quick, protectBusyPods: 'Off', fallback: { behavior: 'Static', replicas: 1 } },
    seen: { currentReplicas: 5, ...unknown },
    history: { failures: 2 },
    is: [1, 'FallbackStatic'],
  },
  {
    name: 'a known queue scales up although another one is unknown',
    seen: { currentReplicas: 1, queue: { waiting: 15 }, unknownQueues: away },
    is: [3, 'QueuesUnknown'],
  },
  {
    name: 'an empty queue does not scale down while another one is unknown',
    spec: quick,
    seen: { currentReplicas: 3, queue: {}, unknownQueues: away },
    is: [3, 'QueuesUnknown'],
  },
  {
    name: 'the minimum applies although all queues are unknown',
    spec: { minReplicas: 2 },
    seen: unknown,
    is: [2, 'QueuesUnknown'],
  },
  {
    name: 'suspended: nothing changes',
    spec: { suspend: true },
    seen: { currentReplicas: 1, queue: { waiting: 99 } },
    is: [1, 'Suspended'],
  },
  {
    name: 'suspended: not to the bounds either',
    spec: { suspend: true, minReplicas: 3 },
    seen: { currentReplicas: 1 },
    is: [1, 'Suspended'],
  },
  {
    name: 'suspended: no fallback',
    spec: { suspend: true, fallback: { behavior: 'AtLeast', replicas: 2 } },
    seen: unknown,
    history: { failures: 9 },
    is: [0, 'Suspended'],
  },
];

testCases('unknown queues', unknowns);
