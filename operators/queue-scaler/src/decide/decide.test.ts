import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBusyObservation, quick, testCases, type Case } from '../testing/decideCases.ts';
import { makeHistory, now, makeObservation, makeQueue, makeSpec } from '../testing/specs.ts';
import { decide } from './decide.ts';

const away = [{ name: 'media', reason: 'Redis is unavailable' }];
const unknown = { queues: [], unknownQueues: away };

const twenty = { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 20 }] };

const demand: readonly Case[] = [
  { name: 'nothing to do and no pods', seen: {}, is: [0, 'AtRecommendation'] },
  { name: 'one waiting job wakes one pod', seen: { queue: { waiting: 1 } }, is: [1, 'BacklogAboveCapacity'] },
  { name: 'one prioritized job wakes one pod', seen: { queue: { prioritized: 1 } }, is: [1, 'BacklogAboveCapacity'] },
  {
    name: 'a delayed job that is due wakes one pod',
    seen: { queue: { delayed: 1, dueDelayed: 1 } },
    is: [1, 'BacklogAboveCapacity'],
  },
  { name: 'a delayed job that is not due wakes none', seen: { queue: { delayed: 7 } }, is: [0, 'AtRecommendation'] },
  { name: 'an orphaned active job wakes one pod', seen: { queue: { active: 1 } }, is: [1, 'BacklogAboveCapacity'] },
  {
    name: 'jobs that wait for their children wake none',
    seen: { queue: { waitingChildren: 9 } },
    is: [0, 'AtRecommendation'],
  },
  { name: 'five jobs fit one pod', seen: { queue: { waiting: 5 } }, is: [1, 'BacklogAboveCapacity'] },
  { name: 'six jobs want two pods', seen: { queue: { waiting: 6 } }, is: [2, 'BacklogAboveCapacity'] },
  {
    name: 'waiting, prioritized and due jobs are added up',
    seen: { queue: { waiting: 2, prioritized: 2, dueDelayed: 2 } },
    is: [2, 'BacklogAboveCapacity'],
  },
  {
    name: 'active jobs count as waiting ones do',
    seen: { queue: { active: 11 } },
    is: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'waiting and active jobs are added before rounding',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 3 }] },
    seen: { queue: { waiting: 1, active: 2 } },
    is: [1, 'BacklogAboveCapacity'],
  },
  {
    name: 'waiting jobs of a paused queue wake none',
    seen: { queue: { waiting: 50, isPaused: true } },
    is: [0, 'AtRecommendation'],
  },
  {
    name: 'due and prioritized jobs of a paused queue wake none',
    seen: { queue: { dueDelayed: 5, prioritized: 5, isPaused: true } },
    is: [0, 'AtRecommendation'],
  },
  {
    name: 'active jobs of a paused queue keep their pods',
    spec: quick,
    seen: { currentReplicas: 3, busyPods: 2, queue: { active: 2, waiting: 50, isPaused: true } },
    is: [2, 'BacklogDrained'],
  },
  {
    name: 'the queue that asks for most counts, since each pod pulls from all of them',
    spec: {
      queues: [
        { name: 'media', prefix: 'bull', jobsPerReplica: 5 },
        { name: 'video', prefix: 'bull', jobsPerReplica: 1 },
      ],
    },
    seen: { queues: [makeQueue({ waiting: 6 }), makeQueue({ name: 'video', waiting: 3 })] },
    is: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'a paused queue does not hide another',
    seen: { queues: [makeQueue({ waiting: 9, isPaused: true }), makeQueue({ name: 'video', waiting: 1 })] },
    is: [1, 'BacklogAboveCapacity'],
  },
  {
    name: '21 jobs at 20 per replica ask for two pods',
    spec: twenty,
    seen: { queue: { waiting: 21 } },
    is: [2, 'BacklogAboveCapacity'],
  },
  {
    name: '21 jobs still ask for two pods once some of them are active',
    spec: twenty,
    seen: { currentReplicas: 2, busyPods: 2, queue: { waiting: 12, active: 9 } },
    is: [2, 'AtRecommendation'],
  },
  {
    name: 'three pods busy on three queues, and nothing waiting: no pod is added',
    spec: { queues: ['a', 'b', 'c'].map((name) => ({ name, prefix: 'bull', jobsPerReplica: 1 })) },
    seen: {
      currentReplicas: 3,
      busyPods: 3,
      queues: ['a', 'b', 'c'].map((name) => makeQueue({ name, active: 3 })),
    },
    is: [3, 'AtRecommendation'],
  },
  {
    name: 'nothing waiting, and each pod busy with several jobs: no pod is added',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] },
    seen: { currentReplicas: 2, busyPods: 2, queue: { active: 8 } },
    is: [2, 'AtRecommendation'],
  },
  {
    name: 'nothing waiting, and one unattributed job: the recommendation of the queue applies',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] },
    seen: { currentReplicas: 2, busyPods: 2, unattributedJobs: 1, queue: { active: 3 } },
    is: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'busy pods stay even if their jobs would fit fewer',
    spec: quick,
    seen: { currentReplicas: 4, busyPods: 3, queue: { active: 3 } },
    is: [3, 'BacklogDrained'],
  },
  {
    name: 'without protection active jobs count by jobsPerReplica alone',
    spec: { ...quick, protectBusyPods: 'Off' },
    seen: { currentReplicas: 4, busyPods: 3, queue: { active: 3 } },
    is: [1, 'BacklogDrained'],
  },
];

const tolerance: readonly Case[] = [
  {
    name: 'from ten to eleven is within ten percent',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 55 } },
    is: [10, 'WithinTolerance'],
  },
  {
    name: 'from ten to twelve is not',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 60 } },
    is: [12, 'BacklogAboveCapacity'],
  },
  {
    name: 'from ten to nine is within ten percent',
    spec: quick,
    seen: { currentReplicas: 10, queue: { waiting: 45 } },
    is: [10, 'WithinTolerance'],
  },
  {
    name: 'from nine to eight is not',
    spec: quick,
    seen: { currentReplicas: 9, queue: { waiting: 40 } },
    is: [8, 'BacklogDrained'],
  },
  {
    name: 'no tolerance',
    spec: { ...quick, tolerancePercent: 0 },
    seen: { currentReplicas: 10, queue: { waiting: 45 } },
    is: [9, 'BacklogDrained'],
  },
  {
    name: 'the last pod above the minimum goes when there is nothing to do',
    spec: { ...quick, minReplicas: 10, maxReplicas: 20 },
    seen: { currentReplicas: 11 },
    is: [10, 'BacklogDrained'],
  },
  {
    name: 'there is no tolerance above the maximum',
    spec: { ...quick, maxReplicas: 10 },
    seen: { currentReplicas: 11, queue: { waiting: 100 } },
    is: [10, 'BacklogDrained'],
  },
  {
    name: 'there is no tolerance below the minimum',
    spec: { minReplicas: 11, maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 5 } },
    is: [11, 'BelowMinReplicas'],
  },
  {
    name: 'there is no tolerance below the busy pods',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, ...makeBusyObservation(11) },
    is: [11, 'BacklogAboveCapacity'],
  },
];

testCases('recommendations', demand);
testCases('the tolerance', tolerance);

const decideOn = (waiting: number) => {
  const spec = makeSpec({ minReplicas: 2, maxReplicas: 5 });
  const { recommended, bound } = decide(
    spec,
    makeObservation({ currentReplicas: 3, queue: { waiting } }),
    makeHistory(),
    now,
  );
  return [recommended, bound];
};

test('returns the recommendation and the bound that limits it', () => {
  assert.deepEqual(decideOn(0), [2, 'minReplicas']);
  assert.deepEqual(decideOn(15), [3, undefined]);
  assert.deepEqual(decideOn(99), [5, 'maxReplicas']);
  const { recommended, bound } = decide(makeSpec(), makeObservation(unknown), makeHistory(), now);
  assert.deepEqual([recommended, bound], [undefined, undefined]);
});
