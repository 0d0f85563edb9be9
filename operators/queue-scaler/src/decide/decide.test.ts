import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBusyObservation, quick, testCases, type Case } from '../testing/decideCases.ts';
import { makeHistory, now, makeObservation, makeQueue, makeSpec } from '../testing/specs.ts';
import { decide } from './decide.ts';

const unavailable = [{ name: 'media', reason: 'Redis is unavailable' }];
const unknown = { queues: [], unknownQueues: unavailable };

const twentyPerReplica = { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 20 }] };

const demand: readonly Case[] = [
  { name: 'no jobs and no pods', seen: {}, expected: [0, 'AtRecommendation'] },
  { name: 'one waiting job starts one pod', seen: { queue: { waiting: 1 } }, expected: [1, 'BacklogAboveCapacity'] },
  {
    name: 'one prioritized job starts one pod',
    seen: { queue: { prioritized: 1 } },
    expected: [1, 'BacklogAboveCapacity'],
  },
  {
    name: 'a delayed job that is due starts one pod',
    seen: { queue: { delayed: 1, dueDelayed: 1 } },
    expected: [1, 'BacklogAboveCapacity'],
  },
  {
    name: 'a delayed job that is not due starts none',
    seen: { queue: { delayed: 7 } },
    expected: [0, 'AtRecommendation'],
  },
  {
    name: 'an orphaned active job starts one pod',
    seen: { queue: { active: 1 } },
    expected: [1, 'BacklogAboveCapacity'],
  },
  {
    name: 'jobs that wait for their children start none',
    seen: { queue: { waitingChildren: 9 } },
    expected: [0, 'AtRecommendation'],
  },
  { name: 'five jobs fit one pod', seen: { queue: { waiting: 5 } }, expected: [1, 'BacklogAboveCapacity'] },
  { name: 'six jobs need two pods', seen: { queue: { waiting: 6 } }, expected: [2, 'BacklogAboveCapacity'] },
  {
    name: 'waiting, prioritized and due jobs are added up',
    seen: { queue: { waiting: 2, prioritized: 2, dueDelayed: 2 } },
    expected: [2, 'BacklogAboveCapacity'],
  },
  {
    name: 'active jobs count like waiting ones',
    seen: { queue: { active: 11 } },
    expected: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'waiting and active jobs are added before rounding',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 3 }] },
    seen: { queue: { waiting: 1, active: 2 } },
    expected: [1, 'BacklogAboveCapacity'],
  },
  {
    name: 'waiting jobs of a paused queue start none',
    seen: { queue: { waiting: 50, isPaused: true } },
    expected: [0, 'AtRecommendation'],
  },
  {
    name: 'due and prioritized jobs of a paused queue start none',
    seen: { queue: { dueDelayed: 5, prioritized: 5, isPaused: true } },
    expected: [0, 'AtRecommendation'],
  },
  {
    name: 'active jobs of a paused queue keep their pods',
    spec: quick,
    seen: { currentReplicas: 3, busyPods: 2, queue: { active: 2, waiting: 50, isPaused: true } },
    expected: [2, 'BacklogDrained'],
  },
  {
    name: 'the highest recommendation counts, because each pod pulls from all queues',
    spec: {
      queues: [
        { name: 'media', prefix: 'bull', jobsPerReplica: 5 },
        { name: 'video', prefix: 'bull', jobsPerReplica: 1 },
      ],
    },
    seen: { queues: [makeQueue({ waiting: 6 }), makeQueue({ name: 'video', waiting: 3 })] },
    expected: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'a paused queue does not hide another',
    seen: { queues: [makeQueue({ waiting: 9, isPaused: true }), makeQueue({ name: 'video', waiting: 1 })] },
    expected: [1, 'BacklogAboveCapacity'],
  },
  {
    name: '21 jobs at 20 per replica need two pods',
    spec: twentyPerReplica,
    seen: { queue: { waiting: 21 } },
    expected: [2, 'BacklogAboveCapacity'],
  },
  {
    name: '21 jobs still need two pods once some of them are active',
    spec: twentyPerReplica,
    seen: { currentReplicas: 2, busyPods: 2, queue: { waiting: 12, active: 9 } },
    expected: [2, 'AtRecommendation'],
  },
  {
    name: 'three pods busy on three queues, and nothing waiting: no pod is added',
    spec: { queues: ['a', 'b', 'c'].map((name) => ({ name, prefix: 'bull', jobsPerReplica: 1 })) },
    seen: {
      currentReplicas: 3,
      busyPods: 3,
      queues: ['a', 'b', 'c'].map((name) => makeQueue({ name, active: 3 })),
    },
    expected: [3, 'AtRecommendation'],
  },
  {
    name: 'nothing waiting, and each pod busy with several jobs: no pod is added',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] },
    seen: { currentReplicas: 2, busyPods: 2, queue: { active: 8 } },
    expected: [2, 'AtRecommendation'],
  },
  {
    name: 'nothing waiting, and one unattributed job: the recommendation of the queue applies',
    spec: { queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] },
    seen: { currentReplicas: 2, busyPods: 2, unattributedJobs: 1, queue: { active: 3 } },
    expected: [3, 'BacklogAboveCapacity'],
  },
  {
    name: 'keeps busy pods even if fewer pods could process their jobs',
    spec: quick,
    seen: { currentReplicas: 4, busyPods: 3, queue: { active: 3 } },
    expected: [3, 'BacklogDrained'],
  },
  {
    name: 'without protection active jobs count by jobsPerReplica alone',
    spec: { ...quick, protectBusyPods: 'Off' },
    seen: { currentReplicas: 4, busyPods: 3, queue: { active: 3 } },
    expected: [1, 'BacklogDrained'],
  },
];

const tolerance: readonly Case[] = [
  {
    name: 'from ten to eleven is within ten percent',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 55 } },
    expected: [10, 'WithinTolerance'],
  },
  {
    name: 'from ten to twelve is more than ten percent',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 60 } },
    expected: [12, 'BacklogAboveCapacity'],
  },
  {
    name: 'from ten to nine is within ten percent',
    spec: quick,
    seen: { currentReplicas: 10, queue: { waiting: 45 } },
    expected: [10, 'WithinTolerance'],
  },
  {
    name: 'from nine to eight is more than ten percent',
    spec: quick,
    seen: { currentReplicas: 9, queue: { waiting: 40 } },
    expected: [8, 'BacklogDrained'],
  },
  {
    name: 'can be zero',
    spec: { ...quick, tolerancePercent: 0 },
    seen: { currentReplicas: 10, queue: { waiting: 45 } },
    expected: [9, 'BacklogDrained'],
  },
  {
    name: 'does not keep the last pod above the minimum when the queues are empty',
    spec: { ...quick, minReplicas: 10, maxReplicas: 20 },
    seen: { currentReplicas: 11 },
    expected: [10, 'BacklogDrained'],
  },
  {
    name: 'does not apply above the maximum',
    spec: { ...quick, maxReplicas: 10 },
    seen: { currentReplicas: 11, queue: { waiting: 100 } },
    expected: [10, 'BacklogDrained'],
  },
  {
    name: 'does not apply below the minimum',
    spec: { minReplicas: 11, maxReplicas: 20 },
    seen: { currentReplicas: 10, queue: { waiting: 5 } },
    expected: [11, 'BelowMinReplicas'],
  },
  {
    name: 'does not apply below the number of busy pods',
    spec: { maxReplicas: 20 },
    seen: { currentReplicas: 10, ...makeBusyObservation(11) },
    expected: [11, 'BacklogAboveCapacity'],
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
