import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodHistory } from './pods.ts';
import { findInterruptedPods, type WorkedRun } from './runHistory.ts';

const makePodHistory = (
  name: string,
  address: string,
  createdAt: number,
  deletionRequestedAt?: number,
): PodHistory => ({
  name,
  role: 'worker media',
  address,
  createdAt,
  scheduledAt: createdAt,
  startedAt: createdAt,
  readyAt: createdAt,
  deletionRequestedAt,
  goneAt: deletionRequestedAt,
  endings: new Set(),
});

const run = (address: string, beganAt: number, endedAt?: number): WorkedRun => ({
  run: `item at ${beganAt}`,
  address,
  beganAt,
  endedAt,
});

test('reports exactly the pods whose deletion was requested during a run', () => {
  const histories = [
    makePodHistory('idle', '10.0.0.1', 1_000, 5_000),
    makePodHistory('busy', '10.0.0.2', 1_000, 5_000),
    makePodHistory('killed', '10.0.0.3', 1_000, 5_000),
    makePodHistory('stays', '10.0.0.4', 1_000),
    // Reuses the address of an earlier pod.
    makePodHistory('later', '10.0.0.2', 9_000, 10_000),
  ];
  const runs = [
    run('10.0.0.1', 2_000, 4_900),
    run('10.0.0.1', 3_000, 5_050),
    run('10.0.0.2', 4_000, 6_000),
    run('10.0.0.3', 4_500),
    run('10.0.0.4', 4_500, 9_000),
    run('10.0.0.2', 9_100, 9_900),
  ];
  assert.deepEqual(findInterruptedPods(runs, histories), [
    { pod: 'busy', role: 'worker media', runs: ['item at 4000'] },
    { pod: 'killed', role: 'worker media', runs: ['item at 4500'] },
  ]);
});
