import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestRedis, type TestRedis } from '@hearth/core/testing/redis.ts';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScalerStatusCondition } from './queueScaler.ts';
import { deploymentOf, quickScaler, startFakeApi, type FakeApi } from './testing/fakeApi.ts';
import { startOperator, type OperatorProcess } from './testing/operatorProcess.ts';
import { waitFor } from './testing/waitFor.ts';

suite('a Role without one of the calls', { skip: missingTool('redis-server') }, () => {
  let server: TestRedis;
  let connection: Redis;
  let api: FakeApi;
  let operator: OperatorProcess | undefined;
  let count = 0;
  before(async () => {
    server = await startTestRedis();
    connection = new Redis(server.url, { maxRetriesPerRequest: null });
  });
  after(async () => {
    connection.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    api = await startFakeApi();
    const queue = new Queue(`media-${(count += 1)}`, { connection });
    await queue.waitUntilReady();
    // One of three pods is at work, so that two have to go, and that one has to be kept.
    await connection.lpush(`bull:${queue.name}:active`, '1');
    await connection.hset(`bull:${queue.name}:1`, 'pb', 'pod-1', 'processedOn', String(Date.now()));
    for (const name of ['pod-1', 'pod-2', 'pod-3']) api.put('pods', name, { status: { phase: 'Running' } });
    api.put('deployments', 'worker', deploymentOf(3));
    api.put('secrets', 'redis', { data: { url: Buffer.from(server.url).toString('base64') } });
    const queues = [{ name: queue.name, prefix: 'bull', jobsPerReplica: 1 }];
    const redis = { secretRef: { name: 'redis', key: 'url' } };
    api.put('queuescalers', 'worker', quickScaler({ queues, redis }));
  });
  afterEach(async () => {
    operator?.signal('SIGKILL');
    await operator?.ended();
    await api.stop();
  });

  const ready = (): QueueScalerStatusCondition | undefined => {
    const status = api.objects.get('queuescalers/worker')?.status as
      | { readonly conditions?: readonly QueueScalerStatusCondition[] }
      | undefined;
    return status?.conditions?.find(({ type }) => type === 'Ready');
  };
  const replicas = (): unknown => api.objects.get('deployments/worker')?.spec?.['replicas'];
  const statusWrites = (): number => api.requests.filter(({ verb }) => verb === 'PATCH queuescalers/status').length;

  for (const refused of [
    'PATCH deployments/scale',
    'GET pods',
    'PATCH pods',
    'GET horizontalpodautoscalers',
    'GET scaledobjects',
  ])
    test(`${refused}: the status says so once, and no longer when it is allowed`, async () => {
      let isAllowed = false;
      api.misbehave(({ verb }) => (verb === refused && !isAllowed ? { status: 403 } : undefined));
      operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
      await waitFor('the refusal', () => ready()?.reason === 'ReconcileError');
      assert.equal(ready()?.status, 'False');
      assert.match(ready()?.message ?? '', /the API server rejected a request: .*as told/);
      const written = statusWrites();
      await delay(3_000);
      assert.equal(statusWrites(), written);
      assert.equal(replicas(), 3);
      assert.equal((await operator.get('/livez')).status, 200);
      isAllowed = true;
      await waitFor('the scaling', () => ready()?.reason === 'Reconciled' && replicas() === 1);
      const cost = api.objects.get('pods/pod-1')?.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
      assert.ok(Number(cost) >= 10, 'the pod at work is the dearest');
    });

  test('GET deployments, or no such Deployment: the status says so, until there is', async () => {
    let status = 404;
    api.misbehave(({ verb }) => (verb === 'GET deployments' && status > 0 ? { status } : undefined));
    operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
    await waitFor('the status', () => ready()?.reason === 'TargetNotFound');
    status = 403;
    await delay(1_500);
    const warnings = operator.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(warnings, []);
    status = 0;
    await waitFor('the scaling', () => ready()?.reason === 'Reconciled' && replicas() === 1);
  });

  test('a pod that is gone when its cost is written is no failure', async () => {
    api.misbehave(({ verb, name = '' }) => {
      if (verb === 'PATCH pods') api.remove('pods', name);
      return undefined;
    });
    operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
    await waitFor('the scaling', () => replicas() === 1);
    assert.ok(api.requests.some(({ verb, status }) => verb === 'PATCH pods' && status === 404));
    const warnings = operator.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(warnings, []);
  });

  test('GET secrets: the queues are unknown, and the fallback counts', async () => {
    api.misbehave(({ verb }) => (verb === 'GET secrets' ? { status: 403 } : undefined));
    const scaler = api.objects.get('queuescalers/worker');
    api.put('queuescalers', 'worker', {
      spec: { ...scaler?.spec, fallback: { failureThreshold: 2, behavior: 'AtLeast', replicas: 4 } },
    });
    operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
    await waitFor('the fallback', () => replicas() === 4);
    assert.equal(ready()?.reason, 'QueuesUnknown');
  });

  test('what is not written at all does not stop the pods from following', async () => {
    api.misbehave(({ verb }) => (verb === 'POST events' ? { status: 403 } : undefined));
    operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
    await waitFor('the scaling', () => replicas() === 1);
  });
});
