import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScalerStatus } from './api/queueScaler.ts';
import { makeDeployment, makeFastScaler, startFakeApi, type FakeApi } from './testing/fakeApi.ts';
import { startOperator, type OperatorProcess } from './testing/operatorProcess.ts';
import { waitFor, waitForReconciles } from './testing/waitFor.ts';

suite('Redis outage', { skip: missingTool('redis-server') }, () => {
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let api: FakeApi;
  let operator: OperatorProcess;
  before(async () => {
    server = await startTestRedis();
    connection = new Redis(server.url, { maxRetriesPerRequest: null });
    connection.on('error', () => undefined);
    queue = new Queue('media', { connection });
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    api = await startFakeApi();
    const { spec } = makeFastScaler({ fallback: { failureThreshold: 3, behavior: 'AtLeast', replicas: 5 } });
    api.put('deployments', 'worker', makeDeployment(0));
    api.put('queuescalers', 'worker', { spec: { ...spec, redis: { secretRef: { name: 'redis', key: 'url' } } } });
    operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url });
  });
  after(async () => {
    operator.signal('SIGTERM');
    assert.equal(await operator.ended(), 0);
    connection.disconnect();
    await Promise.all([server.stop(), api.stop()]);
  });

  const replicas = (): unknown => api.objects.get('deployments/worker')?.spec?.['replicas'];
  const status = (): QueueScalerStatus | undefined => api.objects.get('queuescalers/worker')?.status;
  const condition = (type: string): string => {
    const found = status()?.conditions?.find((each) => each.type === type);
    return `${found?.status} ${found?.reason}`;
  };
  const waitForCondition = (type: string, expected: string): Promise<void> =>
    waitFor(`${type} is ${expected}, was ${condition(type)}`, () => condition(type) === expected);
  const message = (type: string): string | undefined =>
    status()?.conditions?.find((each) => each.type === type)?.message;
  const addJobs = async (count: number): Promise<void> => {
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: {} })));
  };
  /**
   * Checks that the replicas do not change, that the fallback applies, and that the queue determines the replicas again
   * after `repair`.
   */
  const checkOutage = async (reason: RegExp, repair: () => Promise<unknown>): Promise<void> => {
    const before = replicas();
    await waitForCondition('QueuesFound', 'False QueuesUnknown');
    assert.match(message('QueuesFound') ?? '', reason);
    assert.equal(condition('Ready'), 'False QueuesUnknown');
    if (status()?.consecutiveFailures === 1) assert.equal(replicas(), before);
    await waitForCondition('FallbackActive', 'True FallbackAtLeast');
    await waitFor('the fallback', () => replicas() === 5);
    const writesBefore = api.requests.filter(({ verb }) => verb === 'PATCH queuescalers/status').length;
    await waitForReconciles(api, 3);
    const writtenMeanwhile =
      api.requests.filter(({ verb }) => verb === 'PATCH queuescalers/status').length - writesBefore;
    assert.ok(writtenMeanwhile <= 1, 'status writes during a long outage');
    await repair();
    await waitForCondition('Ready', 'True Reconciled');
    await waitForCondition('FallbackActive', 'False FallbackInactive');
    await waitFor('the recommendation of the queue', () => replicas() === 1);
  };

  test('queues are unknown without the Secret', async () => {
    await waitForCondition('QueuesFound', 'False QueuesUnknown');
    assert.match(message('QueuesFound') ?? '', /Secret redis has no key url/);
    api.put('secrets', 'redis', { data: { url: Buffer.from(`${server.url}\n`).toString('base64') } });
    await addJobs(3);
    await waitForCondition('Ready', 'True Reconciled');
    await waitFor('a pod', () => replicas() === 1);
  });

  test('applies the fallback while Redis is killed, until it is restarted', async () => {
    await server.kill();
    await checkOutage(/ECONNREFUSED|closed/i, () => server.restart());
  });

  test('applies the fallback while Redis is frozen, until it is thawed', async () => {
    await server.freeze();
    await checkOutage(/no response from Redis within/, () => server.thaw());
  });

  test('applies the fallback while a key has the wrong type', async () => {
    await connection.rename('bull:media:prioritized', 'kept').catch(() => undefined);
    await connection.set('bull:media:prioritized', 'not a sorted set');
    await checkOutage(/WRONGTYPE/, () => connection.del('bull:media:prioritized'));
  });

  test('applies the fallback after Redis was emptied, until the queue is opened again', async () => {
    await connection.flushall();
    await checkOutage(/queue bull:media does not exist/, async () => {
      const opened = new Queue('media', { connection });
      await opened.waitUntilReady();
      await opened.close();
      await addJobs(3);
    });
  });

  test('reports every change as an event', () => {
    const events = [...api.objects]
      .filter(([key]) => key.startsWith('events/'))
      .map(([, event]) => event as { reason?: string; type?: string });
    for (const reason of [
      'ScaledUp',
      'ScaledDown',
      'QueuesUnknown',
      'FallbackAtLeast',
      'FallbackInactive',
      'QueuesFound',
      'Reconciled',
    ])
      assert.ok(
        events.some((event) => event.reason === reason),
        reason,
      );
    assert.ok(events.some(({ reason, type }) => reason === 'QueuesUnknown' && type === 'Warning'));
  });
});
