import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeDeployment, makeFastScaler } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { waitFor, waitForReconciles } from './testing/waitFor.ts';

suite('Role that lacks a verb', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { makeQueueSpecs, ready, replicas, start } = bench;
  beforeEach(async () => {
    const { api, connection, queue, redisUrl } = bench;
    // One of three pods is busy, so the other two must be removed.
    await connection.lpush(`bull:${queue.name}:active`, '1');
    await connection.hset(`bull:${queue.name}:1`, 'pb', 'pod-1', 'processedOn', String(Date.now()));
    for (const name of ['pod-1', 'pod-2', 'pod-3']) api.put('pods', name, { status: { phase: 'Running' } });
    api.put('deployments', 'worker', makeDeployment(3));
    api.put('secrets', 'redis', { data: { url: Buffer.from(redisUrl).toString('base64') } });
    const redis = { secretRef: { name: 'redis', key: 'url' } };
    api.put('queuescalers', 'worker', makeFastScaler({ queues: makeQueueSpecs(), redis }));
  });

  const statusWrites = (): number =>
    bench.api.requests.filter(({ verb }) => verb === 'PATCH queuescalers/status').length;

  for (const refused of [
    'PATCH deployments/scale',
    'GET pods',
    'PATCH pods',
    'GET horizontalpodautoscalers',
    'GET scaledobjects',
  ])
    test(`${refused}: the status reports the refusal once, until the request is allowed`, async () => {
      let isAllowed = false;
      bench.api.misbehave(({ verb }) => (verb === refused && !isAllowed ? { status: 403 } : undefined));
      await start();
      await waitFor('the refusal', () => ready()?.reason === 'ReconcileError');
      assert.equal(ready()?.status, 'False');
      assert.match(ready()?.message ?? '', /the API server rejected a request: .*rejected by the test/);
      const written = statusWrites();
      await waitForReconciles(bench.api, 2);
      assert.equal(statusWrites(), written);
      assert.equal(replicas(), 3);
      assert.equal((await bench.operator.get('/livez')).status, 200);
      isAllowed = true;
      await waitFor('the scaling', () => ready()?.reason === 'Reconciled' && replicas() === 1);
      const cost =
        bench.api.objects.get('pods/pod-1')?.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
      assert.ok(Number(cost) >= 10, 'the busy pod has the highest deletion cost');
    });

  test('GET deployments, or a missing Deployment: the status reports TargetNotFound until it can be read', async () => {
    let status = 404;
    bench.api.misbehave(({ verb }) => (verb === 'GET deployments' && status > 0 ? { status } : undefined));
    await start();
    await waitFor('the status', () => ready()?.reason === 'TargetNotFound');
    status = 403;
    await waitForReconciles(bench.api, 2);
    const warnings = bench.operator.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(warnings, []);
    status = 0;
    await waitFor('the scaling', () => ready()?.reason === 'Reconciled' && replicas() === 1);
  });

  test('deleting a pod before its deletion cost is written is not a failure', async () => {
    bench.api.misbehave(({ verb, name = '' }) => {
      if (verb === 'PATCH pods') bench.api.remove('pods', name);
      return undefined;
    });
    await start();
    await waitFor('the scaling', () => replicas() === 1);
    assert.ok(bench.api.requests.some(({ verb, status }) => verb === 'PATCH pods' && status === 404));
    const warnings = bench.operator.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(warnings, []);
  });

  test('GET secrets: the queues are unknown, and the fallback applies', async () => {
    bench.api.misbehave(({ verb }) => (verb === 'GET secrets' ? { status: 403 } : undefined));
    const scaler = bench.api.objects.get('queuescalers/worker');
    bench.api.put('queuescalers', 'worker', {
      spec: { ...scaler?.spec, fallback: { failureThreshold: 2, behavior: 'AtLeast', replicas: 4 } },
    });
    await start();
    await waitFor('the fallback', () => replicas() === 4);
    assert.equal(ready()?.reason, 'QueuesUnknown');
  });

  test('POST events: the target is still scaled', async () => {
    bench.api.misbehave(({ verb }) => (verb === 'POST events' ? { status: 403 } : undefined));
    await start();
    await waitFor('the scaling', () => replicas() === 1);
  });
});
