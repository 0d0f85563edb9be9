import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { playStories } from '../stories/playStories.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { createNamespace, installRelease, maxReadySeconds, openAccess, releaseName, type Release } from './release.ts';
import { parseQuantity } from '@hearth/testkit/run/quantity.ts';
import type { Pod } from './pods.ts';

const sumRequests = (pods: readonly Pod[]): { readonly memoryBytes: number; readonly cpus: number } => {
  const sum = (resource: string): number =>
    pods
      .flatMap(({ spec }) => spec.containers)
      .reduce((total, { resources }) => total + parseQuantity(resources.requests?.[resource] ?? 0), 0);
  return { memoryBytes: sum('memory'), cpus: Math.round(sum('cpu') * 1_000) / 1_000 };
};

suite('default installation in a namespace that enforces the restricted standard', { skip: missingCluster }, () => {
  let cluster: Cluster;
  let release: Release;
  test.before(async () => {
    cluster = await openCluster();
    release = await installRelease(cluster, await createNamespace(cluster, 'install'));
  });
  test.after(async () => {
    await release?.remove();
    cluster?.close();
  });

  test('is ready within three minutes', () => {
    console.log(`ready after ${release.readySeconds.toFixed(1)} s`);
    assert.ok(release.readySeconds <= maxReadySeconds);
  });

  test('requests at most 1 GiB of memory when idle', async () => {
    const { memoryBytes, cpus } = sumRequests(
      (await release.pods()).filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] !== 'worker'),
    );
    console.log(`requests of an idle library: ${Math.round(memoryBytes / 2 ** 20)} MiB, ${cpus} cores`);
    assert.ok(memoryBytes <= 2 ** 30, `${memoryBytes}`);
  });

  test('passes helm test: account, READY photo, search, thumbnail, web app', async () => {
    const output = await cluster.helm([
      'test',
      releaseName,
      '--namespace',
      release.namespace,
      '--logs',
      '--timeout=5m',
    ]);
    console.log(output);
    assert.match(output, /ready after/);
    assert.match(output, /opened the web app/);
  });

  test('passes the stories shared by all installations', async () => {
    const { url, admin, close } = await openAccess(cluster, release);
    try {
      await playStories({ url, admin });
    } finally {
      close();
    }
  });

  test('restarts no container', async () => {
    const restarted = (await release.pods()).flatMap(({ metadata, status }) =>
      (status.containerStatuses ?? [])
        .filter(({ restartCount }) => restartCount > 0)
        .map(({ restartCount }) => `${metadata.name}: ${restartCount}`),
    );
    assert.deepEqual(restarted, []);
  });
});
