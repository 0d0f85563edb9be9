import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { V1Pod } from '@kubernetes/client-node';
import { now } from '../testing/specs.ts';
import { countPods, matchPods } from '../observe/pods.ts';
import { costChanges } from './deletionCosts.ts';

const cost = 'controller.kubernetes.io/pod-deletion-cost';

const podOf = (
  name: string,
  given: {
    readonly cost?: string;
    readonly isReady?: boolean;
    readonly phase?: string;
    readonly isTerminating?: boolean;
  } = {},
): V1Pod => ({
  metadata: {
    name,
    ...(given.isTerminating ? { deletionTimestamp: new Date(now) } : {}),
    ...(given.cost === undefined ? {} : { annotations: { [cost]: given.cost } }),
  },
  status: {
    phase: given.phase ?? 'Running',
    conditions: [{ type: 'Ready', status: given.isReady === false ? 'False' : 'True' }],
  },
});

const jobOf = (processedBy: string | undefined, secondsAgo = 0) => ({
  processedBy,
  processedOn: now - secondsAgo * 1_000,
});

suite('busy pods', () => {
  test('are pods with an active job, and their age is that of the oldest job', () => {
    const pods = [podOf('a'), podOf('b'), podOf('c')];
    const matched = matchPods(pods, [jobOf('a', 5), jobOf('a', 90), jobOf('c', 1)], now);
    assert.deepEqual(
      matched.map(({ busySeconds }) => busySeconds),
      [90, undefined, 1],
    );
  });

  test('exclude terminating and ended pods', () => {
    const pods = [
      podOf('a', { isTerminating: true }),
      podOf('b', { phase: 'Succeeded' }),
      podOf('c', { phase: 'Failed' }),
      podOf('d', { phase: 'Pending' }),
    ];
    const matched = matchPods(pods, [jobOf('a')], now);
    assert.deepEqual(
      matched.map(({ pod }) => pod.metadata?.name),
      ['d'],
    );
  });

  test('are counted along with the jobs of unknown workers', () => {
    const jobs = [jobOf('a'), jobOf('b'), jobOf('gone'), jobOf(undefined)];
    const pods = [podOf('a'), podOf('b', { isReady: false }), podOf('c')];
    const counts = { busyPods: 2, busyUnreadyPods: 1, idlePods: 1, unattributedJobs: 2 };
    assert.deepEqual(countPods(pods, matchPods(pods, jobs, now), jobs), counts);
  });

  test('exclude terminating pods, whose jobs are still attributed', () => {
    const pods = [podOf('a', { isTerminating: true }), podOf('b')];
    const jobs = [jobOf('a')];
    const counts = { busyPods: 0, busyUnreadyPods: 0, idlePods: 1, unattributedJobs: 0 };
    assert.deepEqual(countPods(pods, matchPods(pods, jobs, now), jobs), counts);
  });

  test('get a deletion cost by the age of their oldest job, up to a day, unlike idle pods', () => {
    const pods = [
      podOf('a'),
      podOf('b', { cost: '77' }),
      podOf('c'),
      podOf('d', { cost: '0' }),
      podOf('e', { cost: '12' }),
    ];
    const jobs = [jobOf('a', 50), jobOf('c', 900_000), jobOf('e', 700)];
    assert.deepEqual(costChanges(matchPods(pods, jobs, now)), [
      { name: 'a', annotations: { [cost]: '60' } },
      { name: 'b', annotations: { [cost]: '0' } },
      { name: 'c', annotations: { [cost]: '86400' } },
    ]);
  });

  test('keep their deletion cost while only time passes', () => {
    const pods = [podOf('a', { cost: '10' }), podOf('b')];
    assert.deepEqual(costChanges(matchPods(pods, [jobOf('a', 5_000)], now)), []);
  });
});
