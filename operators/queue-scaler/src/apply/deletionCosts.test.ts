import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { V1Pod } from '@kubernetes/client-node';
import { now } from '../testing/specs.ts';
import { countPods, matchPods } from '../observe/pods.ts';
import { listCostChanges } from './deletionCosts.ts';

const cost = 'controller.kubernetes.io/pod-deletion-cost';

const makePod = (
  name: string,
  options: {
    readonly cost?: string;
    readonly isReady?: boolean;
    readonly phase?: string;
    readonly isTerminating?: boolean;
  } = {},
): V1Pod => ({
  metadata: {
    name,
    ...(options.isTerminating ? { deletionTimestamp: new Date(now) } : {}),
    ...(options.cost === undefined ? {} : { annotations: { [cost]: options.cost } }),
  },
  status: {
    phase: options.phase ?? 'Running',
    conditions: [{ type: 'Ready', status: options.isReady === false ? 'False' : 'True' }],
  },
});

const makeJob = (processedBy: string | undefined, secondsAgo = 0) => ({
  processedBy,
  processedOn: now - secondsAgo * 1_000,
});

suite('busy pods', () => {
  test('are pods with an active job, and their age is the age of the oldest job', () => {
    const pods = [makePod('a'), makePod('b'), makePod('c')];
    const matched = matchPods(pods, [makeJob('a', 5), makeJob('a', 90), makeJob('c', 1)], now);
    assert.deepEqual(
      matched.map(({ busySeconds }) => busySeconds),
      [90, undefined, 1],
    );
  });

  test('exclude terminating and ended pods', () => {
    const pods = [
      makePod('a', { isTerminating: true }),
      makePod('b', { phase: 'Succeeded' }),
      makePod('c', { phase: 'Failed' }),
      makePod('d', { phase: 'Pending' }),
    ];
    const matched = matchPods(pods, [makeJob('a')], now);
    assert.deepEqual(
      matched.map(({ pod }) => pod.metadata?.name),
      ['d'],
    );
  });

  test('are counted along with the jobs of unknown workers', () => {
    const jobs = [makeJob('a'), makeJob('b'), makeJob('gone'), makeJob(undefined)];
    const pods = [makePod('a'), makePod('b', { isReady: false }), makePod('c')];
    const counts = { busyPods: 2, busyUnreadyPods: 1, idlePods: 1, unattributedJobs: 2 };
    assert.deepEqual(countPods(pods, matchPods(pods, jobs, now), jobs), counts);
  });

  test('exclude terminating pods, whose jobs are still attributed', () => {
    const pods = [makePod('a', { isTerminating: true }), makePod('b')];
    const jobs = [makeJob('a')];
    const counts = { busyPods: 0, busyUnreadyPods: 0, idlePods: 1, unattributedJobs: 0 };
    assert.deepEqual(countPods(pods, matchPods(pods, jobs, now), jobs), counts);
  });

  test('get a deletion cost by the age of their oldest job, up to a day, unlike idle pods', () => {
    const pods = [
      makePod('a'),
      makePod('b', { cost: '77' }),
      makePod('c'),
      makePod('d', { cost: '0' }),
      makePod('e', { cost: '12' }),
    ];
    const jobs = [makeJob('a', 50), makeJob('c', 900_000), makeJob('e', 700)];
    assert.deepEqual(listCostChanges(matchPods(pods, jobs, now)), [
      { name: 'a', annotations: { [cost]: '60' } },
      { name: 'b', annotations: { [cost]: '0' } },
      { name: 'c', annotations: { [cost]: '86400' } },
    ]);
  });

  test('keep their deletion cost while only time passes', () => {
    const pods = [makePod('a', { cost: '10' }), makePod('b')];
    assert.deepEqual(listCostChanges(matchPods(pods, [makeJob('a', 5_000)], now)), []);
  });
});
