import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { deploymentOf, quickScaler } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { settableClock } from './testing/operatorProcess.ts';
import { waitFor } from './testing/waitFor.ts';

const progressing = (status: string): object => ({ conditions: [{ type: 'Progressing', status }] });

suite('what changes under the operator', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addJobs, converges, ownQueues, replicas, start } = bench;
  beforeEach(() => bench.api.put('deployments', 'worker', deploymentOf(0)));

  const addScaler = (name: string, spec: Parameters<typeof quickScaler>[0] = {}, metadata: object = {}): void =>
    bench.api.put('queuescalers', name, { ...quickScaler({ queues: ownQueues(), ...spec }), metadata });
  const isExposed = async (): Promise<boolean> =>
    (await bench.operator.get('/metrics')).text.includes('queue_jobs{scaler="worker"');
  const setRedis = (url: string): void =>
    bench.api.put('secrets', 'redis', { data: { url: Buffer.from(url).toString('base64') } });
  const count = (verb: string): number => bench.api.requests.filter((request) => request.verb === verb).length;
  const ready = (name: string): string => {
    const condition = bench.ready(name);
    return `${condition?.reason}: ${condition?.message}`;
  };

  test('of two QueueScalers for one Deployment the elder has it, and the younger one when that is gone', async () => {
    addScaler('elder', { minReplicas: 2 }, { creationTimestamp: '2026-11-21T11:00:00Z' });
    addScaler('a-younger', { minReplicas: 5 }, { creationTimestamp: '2026-11-21T11:00:01Z' });
    await start();
    await waitFor('the conflict', () => ready('a-younger').startsWith('Conflict: QueueScaler elder already scales'));
    await converges(2);
    await delay(2_500);
    assert.equal(replicas(), 2);
    assert.equal(ready('elder'), 'Reconciled: Deployment worker is scaled by its queues');
    bench.api.remove('queuescalers', 'elder');
    await converges(5);
  });

  test('an elder that is suspended does not block the younger one, until it goes on', async () => {
    const createdAt = { creationTimestamp: '2026-11-21T11:00:00Z' };
    addScaler('elder', { minReplicas: 2, suspend: true }, createdAt);
    addScaler('younger', { minReplicas: 5 }, { creationTimestamp: '2026-11-21T11:00:01Z' });
    await start();
    await converges(5);
    await waitFor('peace', () => ready('younger').startsWith('Reconciled'));
    addScaler('elder', { minReplicas: 2 }, createdAt);
    await waitFor('the conflict', () => ready('younger').startsWith('Conflict: QueueScaler elder already scales'));
    await converges(2);
  });

  const halfRolledOut = { observedGeneration: 1_000, replicas: 4, updatedReplicas: 1 };
  for (const [what, deployment] of [
    ['cannot go on', { status: { ...halfRolledOut, ...progressing('False') } }],
    ['is paused', { spec: { replicas: 3, selector: { matchLabels: { app: 'worker' } }, paused: true } }],
  ] as const)
    test(`a rollout that ${what} does not keep pods, and one that makes progress does`, async () => {
      bench.api.put('deployments', 'worker', {
        ...deploymentOf(3),
        status: { ...halfRolledOut, ...progressing('True') },
      });
      addScaler('worker');
      await start();
      await waitFor('turns', () => count('GET deployments') >= 4);
      assert.equal(replicas(), 3);
      bench.api.put('deployments', 'worker', deployment);
      await converges(0);
    });

  test('a spec that changes while a scaling is on its way counts right after it', async () => {
    addScaler('worker');
    bench.api.misbehave(({ verb }) => (verb === 'PATCH deployments/scale' ? { delayMs: 1_500 } : undefined));
    await start();
    await addJobs(5);
    await waitFor('a scaling', () => bench.api.requests.some(({ verb }) => verb === 'PATCH deployments/scale'));
    addScaler('worker', { maxReplicas: 2 });
    await converges(5);
    await converges(2);
  });

  test('a Deployment that is deleted and created again has no past', async () => {
    const scaleUp = { maxPods: 1, maxPercent: 0, periodSeconds: 1_800 };
    addScaler('worker', { behavior: { scaleUp } });
    await start();
    await addJobs(3);
    await converges(1);
    await delay(2_000);
    assert.equal(replicas(), 1, 'one pod in half an hour');
    // Between two looks.
    bench.api.remove('deployments', 'worker');
    bench.api.put('deployments', 'worker', deploymentOf(0));
    await converges(1);
  });

  test('a QueueScaler that names another Deployment leaves the first as it is', async () => {
    bench.api.put('deployments', 'other', deploymentOf(0));
    addScaler('worker');
    await start();
    await addJobs(3);
    await converges(3);
    addScaler('worker', { scaleTargetRef: { name: 'other' } });
    await converges(3, 'other');
    await bench.queue.drain();
    await converges(0, 'other');
    assert.equal(replicas(), 3);
  });

  test('where no job is in hand pods go without being asked, strictly too', async () => {
    bench.api.put('deployments', 'worker', deploymentOf(3));
    addScaler('worker', { protectBusyPods: 'Strict' });
    await start();
    await converges(0);
    assert.deepEqual(
      bench.api.requests.filter(({ verb }) => verb.endsWith('pods')),
      [],
    );
  });

  test('a Secret is read once as long as Redis answers, and again as soon as it does not', async () => {
    setRedis('redis://127.0.0.1:1');
    addScaler('worker', { redis: { secretRef: { name: 'redis', key: 'url' } } });
    await start();
    await waitFor('the trouble', () => ready('worker').startsWith('QueuesUnknown'));
    setRedis(bench.redisUrl);
    const turns = count('GET deployments');
    await waitFor('the new address', () => ready('worker').startsWith('Reconciled'));
    assert.ok(count('GET deployments') - turns < 10, `${count('GET deployments') - turns} turns`);
    const reads = count('GET secrets');
    await waitFor('five turns', () => count('GET deployments') > turns + 15);
    assert.equal(count('GET secrets'), reads);
  });

  test('what was measured of a target that is gone is exposed no longer', async () => {
    addScaler('worker');
    await start();
    await waitFor('the series', isExposed);
    bench.api.remove('deployments', 'worker');
    await waitFor('their end', async () => !(await isExposed()));
  });

  test('a clock that is set back by an hour holds nothing up', async () => {
    const behavior = {
      scaleUp: { maxPods: 2, maxPercent: 0, periodSeconds: 3 },
      scaleDown: { stabilizationWindowSeconds: 3, maxPods: 2, periodSeconds: 3 },
    };
    addScaler('worker', { behavior, cooldownSeconds: 3 });
    await start({}, settableClock);
    await addJobs(4);
    await converges(2);
    bench.operator.signal('SIGUSR2');
    await converges(4);
    await bench.queue.drain();
    await delay(1_500);
    bench.operator.signal('SIGUSR2');
    await converges(0);
  });
});
