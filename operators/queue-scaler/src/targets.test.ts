import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeDeployment, makeFastScaler } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { settableClock } from './testing/operatorProcess.ts';
import { waitFor, waitForReconciles } from './testing/waitFor.ts';

const progressing = (status: string): object => ({ conditions: [{ type: 'Progressing', status }] });

suite('changes of a target or a QueueScaler', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addJobs, waitForReplicas, makeQueueSpecs, replicas, start } = bench;
  beforeEach(() => bench.api.put('deployments', 'worker', makeDeployment(0)));

  const addScaler = (name: string, spec: Parameters<typeof makeFastScaler>[0] = {}, metadata: object = {}): void =>
    bench.api.put('queuescalers', name, { ...makeFastScaler({ queues: makeQueueSpecs(), ...spec }), metadata });
  const isExposed = async (): Promise<boolean> =>
    (await bench.operator.get('/metrics')).text.includes('queue_jobs{scaler="worker"');
  const setRedis = (url: string): void =>
    bench.api.put('secrets', 'redis', { data: { url: Buffer.from(url).toString('base64') } });
  const count = (verb: string): number => bench.api.requests.filter((request) => request.verb === verb).length;
  const ready = (name: string): string => {
    const condition = bench.ready(name);
    return `${condition?.reason}: ${condition?.message}`;
  };

  test('the older of two QueueScalers scales the Deployment until it is deleted, then the younger one does', async () => {
    addScaler('older', { minReplicas: 2 }, { creationTimestamp: '2026-11-21T11:00:00Z' });
    addScaler('a-younger', { minReplicas: 5 }, { creationTimestamp: '2026-11-21T11:00:01Z' });
    await start();
    await waitFor('the conflict', () => ready('a-younger').startsWith('Conflict: QueueScaler older already scales'));
    await waitForReplicas(2);
    await waitForReconciles(bench.api, 2, ['older', 'a-younger']);
    assert.equal(replicas(), 2);
    assert.equal(ready('older'), 'Reconciled: Deployment worker is scaled by its queues');
    bench.api.remove('queuescalers', 'older');
    await waitForReplicas(5);
  });

  test('a suspended older QueueScaler does not block the younger one until it is resumed', async () => {
    const createdAt = { creationTimestamp: '2026-11-21T11:00:00Z' };
    addScaler('older', { minReplicas: 2, suspend: true }, createdAt);
    addScaler('younger', { minReplicas: 5 }, { creationTimestamp: '2026-11-21T11:00:01Z' });
    await start();
    await waitForReplicas(5);
    await waitFor('the end of the conflict', () => ready('younger').startsWith('Reconciled'));
    addScaler('older', { minReplicas: 2 }, createdAt);
    await waitFor('the conflict', () => ready('younger').startsWith('Conflict: QueueScaler older already scales'));
    await waitForReplicas(2);
  });

  const halfRolledOut = { observedGeneration: 1_000, replicas: 4, updatedReplicas: 1 };
  for (const [problem, deployment] of [
    ['has exceeded its progress deadline', { status: { ...halfRolledOut, ...progressing('False') } }],
    ['is paused', { spec: { replicas: 3, selector: { matchLabels: { app: 'worker' } }, paused: true } }],
  ] as const)
    test(`a rollout that ${problem} does not delay scale down, and one that makes progress does`, async () => {
      bench.api.put('deployments', 'worker', {
        ...makeDeployment(3),
        status: { ...halfRolledOut, ...progressing('True') },
      });
      addScaler('worker');
      await start();
      await waitForReconciles(bench.api, 3);
      assert.equal(replicas(), 3);
      bench.api.put('deployments', 'worker', deployment);
      await waitForReplicas(0);
    });

  test('a spec change during a scaling is applied right afterwards', async () => {
    addScaler('worker');
    bench.api.misbehave(({ verb }) => (verb === 'PATCH deployments/scale' ? { delayMs: 1_500 } : undefined));
    await start();
    await addJobs(5);
    await waitFor('a scaling', () => bench.api.requests.some(({ verb }) => verb === 'PATCH deployments/scale'));
    addScaler('worker', { maxReplicas: 2 });
    await waitForReplicas(5);
    await waitForReplicas(2);
  });

  test('a deleted and recreated Deployment has no history', async () => {
    const scaleUp = { maxPods: 1, maxPercent: 0, periodSeconds: 1_800 };
    addScaler('worker', { behavior: { scaleUp } });
    await start();
    await addJobs(3);
    await waitForReplicas(1);
    await waitForReconciles(bench.api, 2);
    assert.equal(replicas(), 1, 'one pod in half an hour');
    // No reconcile runs between these two calls.
    bench.api.remove('deployments', 'worker');
    bench.api.put('deployments', 'worker', makeDeployment(0));
    await waitForReplicas(1);
  });

  test('a QueueScaler that switches to another Deployment leaves the first one unchanged', async () => {
    bench.api.put('deployments', 'other', makeDeployment(0));
    addScaler('worker');
    await start();
    await addJobs(3);
    await waitForReplicas(3);
    addScaler('worker', { scaleTargetRef: { name: 'other' } });
    await waitForReplicas(3, 'other');
    await bench.queue.drain();
    await waitForReplicas(0, 'other');
    assert.equal(replicas(), 3);
  });

  test('no pods are listed without active jobs, even with Strict', async () => {
    bench.api.put('deployments', 'worker', makeDeployment(3));
    addScaler('worker', { protectBusyPods: 'Strict' });
    await start();
    await waitForReplicas(0);
    assert.deepEqual(
      bench.api.requests.filter(({ verb }) => verb.endsWith('pods')),
      [],
    );
  });

  test('a Secret is cached while its Redis works, and read again after a failure', async () => {
    setRedis('redis://127.0.0.1:1');
    addScaler('worker', { redis: { secretRef: { name: 'redis', key: 'url' } } });
    await start();
    await waitFor('the failure', () => ready('worker').startsWith('QueuesUnknown'));
    setRedis(bench.redisUrl);
    const before = count('GET deployments');
    await waitFor('the new address', () => ready('worker').startsWith('Reconciled'));
    assert.ok(count('GET deployments') - before < 10, `${count('GET deployments') - before} reconciles`);
    const reads = count('GET secrets');
    await waitForReconciles(bench.api, 5);
    assert.equal(count('GET secrets'), reads);
  });

  test('removes the metrics of a deleted target', async () => {
    addScaler('worker');
    await start();
    await waitFor('the series', isExposed);
    bench.api.remove('deployments', 'worker');
    await waitFor('their removal', async () => !(await isExposed()));
  });

  test('setting the clock back by an hour delays nothing', async () => {
    const behavior = {
      scaleUp: { maxPods: 2, maxPercent: 0, periodSeconds: 3 },
      scaleDown: { stabilizationWindowSeconds: 3, maxPods: 2, periodSeconds: 3 },
    };
    addScaler('worker', { behavior, cooldownSeconds: 3 });
    await start({}, settableClock);
    await addJobs(4);
    await waitForReplicas(2);
    bench.operator.signal('SIGUSR2');
    await waitForReplicas(4);
    await bench.queue.drain();
    await waitForReconciles(bench.api, 1);
    bench.operator.signal('SIGUSR2');
    await waitForReplicas(0);
  });
});
