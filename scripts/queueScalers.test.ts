import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { poolNames } from '@hearth/core/config/pipeline.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../operators/queue-scaler/manifests/${name}`, import.meta.url), 'utf8');

/** Returns the first group of each match, sorted. */
const findAll = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group).toSorted();

suite('example manifests of the operator', () => {
  const pools = poolNames.toSorted();

  test('have one QueueScaler per pool', () => {
    const scalers = read('queueScalers.yaml');
    assert.deepEqual(findAll(scalers, /scaleTargetRef: \{ name: hearth-worker-(\w+) \}/g), pools);
    assert.deepEqual(findAll(scalers, /- \{ name: (\w+), jobsPerReplica: \d+ \}/g), pools);
  });

  test('let the operator get and scale the Deployment of each pool and nothing else', () => {
    const names = findAll(read('operator.yaml'), /resourceNames: \[(hearth-worker[^\]]*)\]/g);
    const deployments = poolNames.map((name) => `hearth-worker-${name}`).join(', ');
    assert.deepEqual(names, [deployments, deployments]);
  });
});
