import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { fastScaleDownOptions, waitUntilEmpty } from './burst.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { measureMemory } from './containerMemory.ts';
import { createNamespace, installRelease, releaseName, type Release } from './release.ts';

/** Idle time in seconds. The operator may write nothing during it. */
const idleSeconds = Number(process.env['HEARTH_CLUSTER_IDLE_SECONDS'] ?? 60);

/** Interval of progress reports, in seconds. */
const observeSeconds = 60;

/** Twice the longest pool interval, in seconds. By then the operator has recorded that the last worker is gone. */
const settleSeconds = 20;

/** Limits of the operator's memory and of the time until the other replica leads. */
const bounds = { megabytes: 120, handOverSeconds: 20 } as const;

const selector = 'app.kubernetes.io/component=operator';

suite('operator with two replicas', { skip: missingCluster }, () => {
  let cluster: Cluster;
  let release: Release;
  test.before(async () => {
    cluster = await openCluster();
    const values = [...fastScaleDownOptions, '--set=operator.replicas=2'];
    release = await installRelease(cluster, await createNamespace(cluster, 'operator'), values);
    await waitUntilEmpty(release);
  });
  test.after(async () => {
    await release?.remove();
    cluster?.close();
  });

  /** Returns the leader pod. The lease adds a suffix to its name, which distinguishes restarts of a container. */
  const holder = async (): Promise<string | undefined> => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${release.namespace}/leases/${releaseName}-queue-scaler`;
    const { spec } = await cluster.get<{ readonly spec: { readonly holderIdentity?: string } }>(path);
    return spec.holderIdentity?.split('_')[0] || undefined;
  };

  /** Returns the leader's metrics as text. */
  const readMetrics = async (): Promise<string> =>
    cluster.kubectl([
      '--namespace',
      release.namespace,
      'exec',
      `${await holder()}`,
      '--',
      'node',
      '-e',
      `fetch('http://127.0.0.1:9464/metrics').then(async (response) => console.log(await response.text()))`,
    ]);

  test('writes only its lease while idle, reconciles fast and needs little memory', async (t) => {
    await sleep(settleSeconds * 1_000);
    const before = await readMetrics();
    let after = before;
    // A test without output for ten minutes is killed.
    for (let left = idleSeconds; left > 0; left -= observeSeconds) {
      await sleep(Math.min(left, observeSeconds) * 1_000);
      after = await readMetrics();
      console.log(`${countWrites(after) - countWrites(before)} writes`);
    }
    const writes = countWrites(after) - countWrites(before);
    const memory = await measureMemory(cluster, release.namespace, `${await holder()}`);
    const figures = {
      idleSeconds,
      writes,
      reconcileP95: findQuantile(after, 0.95),
      workingMegabytes: Math.round(memory.workingBytes / 1e6),
      peakMegabytes: Math.round(memory.peakBytes / 1e6),
    };
    console.log(JSON.stringify(figures));
    t.diagnostic(JSON.stringify(figures));
    assert.equal(writes, 0);
    assert.ok(figures.workingMegabytes <= bounds.megabytes, `${figures.workingMegabytes} MB`);
  });

  for (const [how, options] of [
    ['terminated gracefully', []],
    ['killed', ['--grace-period=0', '--force']],
  ] as const)
    test(`hands the lease over when the leader is ${how}`, async () => {
      await waitFor('both replicas are ready', async () => {
        const pods = await release.pods(selector);
        return pods.length === 2 && pods.every(({ status }) => status.phase === 'Running');
      });
      const leader = await waitFor('a replica leads', holder);
      const begin = performance.now();
      await cluster.kubectl(['--namespace', release.namespace, 'delete', 'pod', leader, '--wait=false', ...options]);
      await waitFor('another replica leads', async () => {
        const now = await holder();
        return now !== undefined && now !== leader;
      });
      const seconds = (performance.now() - begin) / 1_000;
      console.log(`${how}: another replica leads after ${seconds.toFixed(1)} s`);
      assert.ok(seconds <= bounds.handOverSeconds, `${seconds} s`);
    });
});

/** Counts write requests except those for the lease, the only PUT requests. */
const countWrites = (metrics: string): number =>
  [...metrics.matchAll(/^hearth_queue_scaler_rest_client_requests_total\{method="(POST|PATCH|DELETE)".*\} (\d+)$/gm)]
    .map(([, , count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);

/** Returns the upper bound in seconds of the histogram bucket that holds this quantile of reconcile durations. */
const findQuantile = (metrics: string, share: number): string | undefined => {
  const line = /^hearth_queue_scaler_reconcile_duration_seconds_bucket\{le="(.+?)",result="success"\} (\d+)$/gm;
  const buckets = [...metrics.matchAll(line)].map(([, le = '', count]) => ({ le, count: Number(count) }));
  const all = buckets.at(-1)?.count ?? 0;
  return buckets.find(({ count }) => count >= share * all)?.le;
};
