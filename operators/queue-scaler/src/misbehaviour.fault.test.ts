import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { brokenObjects } from './testing/brokenApis.ts';
import { makeFastScaler, type Misbehaviour } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { waitFor, waitForReconciles } from './testing/waitFor.ts';

suite('operator with an API server', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addScaler, checkScaleUpAndDown, countRequests, makeQueueSpecs, replicas, startWithScaler } = bench;

  test('that works', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    assert.deepEqual(await bench.operator.get('/livez'), { status: 200, text: 'ok\n' });
    assert.deepEqual(await bench.operator.get('/readyz'), { status: 200, text: 'ok\n' });
    assert.match((await bench.operator.get('/metrics')).text, /hearth_queue_scaler_leader 1/);
    assert.equal((await bench.operator.get('/')).status, 404);
  });

  test('at rest: two requests per reconcile, and no writes except the lease every two seconds', async () => {
    await startWithScaler();
    await waitFor('the status', () => bench.ready()?.status === 'True');
    await waitForReconciles(bench.api, 1);
    const begin = performance.now();
    await waitForReconciles(bench.api, 4);
    const seconds = (performance.now() - begin) / 1_000;
    const requests = bench.api.requests.filter(({ at }) => at > begin).map(({ verb }) => verb);
    const count = (wanted: string): number => requests.filter((verb) => verb === wanted).length;
    const reconciles = count('GET queuescalers');
    assert.ok(count('GET deployments') <= reconciles + 1, `${count('GET deployments')} of ${reconciles} reconciles`);
    assert.ok(count('PUT leases') <= seconds / 2 + 1, `${count('PUT leases')} in ${seconds} s`);
    for (const list of ['GET horizontalpodautoscalers', 'GET scaledobjects'])
      assert.ok(count(list) <= seconds / 30 + 1, `${count(list)} ${list} in ${seconds} s`);
    const expected = /^(GET (queuescalers|deployments|horizontalpodautoscalers|scaledobjects)|PUT leases)$/;
    assert.deepEqual(
      requests.filter((verb) => !expected.test(verb)),
      [],
    );
  });

  test('that rejects a scaling because the Deployment has changed', async () => {
    let refusals = 3;
    await startWithScaler(({ verb }) => {
      if (verb !== 'PATCH deployments/scale' || refusals === 0) return undefined;
      // The Deployment changes after the operator has read it.
      refusals -= 1;
      bench.api.put('deployments', 'worker', {});
      return undefined;
    });
    await checkScaleUpAndDown();
    // Without the resource version the first scaling would be accepted.
    const statuses = bench.api.requests
      .filter(({ verb }) => verb === 'PATCH deployments/scale')
      .map(({ status }) => status);
    assert.deepEqual(statuses.slice(0, 4), [409, 409, 409, 200]);
  });

  test('that sends Retry-After for a Deployment', async () => {
    let refusedAt: number | undefined;
    await startWithScaler(({ verb, at }) => {
      if (verb !== 'GET deployments' || refusedAt !== undefined) return undefined;
      refusedAt = at;
      return { status: 429, headers: { 'Retry-After': '3' } };
    });
    await waitFor('the refusal', () => refusedAt !== undefined);
    await checkScaleUpAndDown();
    const next = bench.api.requests.find(({ verb, at }) => verb === 'GET deployments' && at > (refusedAt ?? 0));
    assert.ok((next?.at ?? 0) - (refusedAt ?? 0) >= 2_900);
  });

  test('that sends Retry-After for a list', async () => {
    await startWithScaler(({ verb, name, at }) =>
      verb === 'GET queuescalers' && name === undefined && countRequests(0, at, 'GET queuescalers') === 0
        ? { status: 429, headers: { 'Retry-After': '4' } }
        : undefined,
    );
    await checkScaleUpAndDown();
    const [first, second] = bench.api.requests.filter(
      ({ verb, name }) => verb === 'GET queuescalers' && name === undefined,
    );
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 3_900);
  });

  test('that is sometimes slow, cuts connections and fails', async (t) => {
    const seed = Date.now();
    t.diagnostic(`seed ${seed}`);
    const random = createRandom(seed, 0);
    await startWithScaler(({ verb }) => {
      if (verb.endsWith('leases') || random.chance(0.85)) return undefined;
      return random.pick<Misbehaviour>(['cut', { status: 500 }, { status: 503 }, { delayMs: 3_000 }]);
    });
    await checkScaleUpAndDown();
    await checkScaleUpAndDown();
  });

  test('that accepts connections and never responds', async () => {
    let isSilent = false;
    await startWithScaler(({ verb }) => (isSilent && !verb.endsWith('leases') ? 'silence' : undefined));
    await checkScaleUpAndDown();
    isSilent = true;
    await waitFor('a failed reconcile', () =>
      bench.operator.lines.some(({ msg }) => msg.startsWith('reconciliation failed')),
    );
    assert.equal((await bench.operator.get('/livez')).status, 200);
    isSilent = false;
    await checkScaleUpAndDown();
  });

  test('that delays many QueueScalers by slow lists: the operator stays the leader', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    // Longer than the renew deadline of the lease.
    const delayMs = 12_000;
    // Only the first lists are slow. Two slow ones in a row would take nearly as long as /livez allows.
    await startWithScaler(({ verb }) =>
      /GET (horizontalpodautoscalers|scaledobjects)/.test(verb) && countRequests(0, performance.now(), verb) === 1
        ? { delayMs }
        : undefined,
    );
    for (const name of names) addScaler(name);
    await bench.queue.add('job', {});
    await waitFor('a scaling', () => !bench.operator.isRunning() || names.some((name) => replicas(name) === 1));
    assert.equal(bench.operator.isRunning(), true);
    const firstAt = (wanted: RegExp): number => bench.api.requests.find(({ verb }) => wanted.test(verb))?.at ?? 0;
    assert.ok(firstAt(/PATCH deployments/) - firstAt(/GET horizontal/) >= delayMs, 'the lists were not slow');
    assert.equal((await bench.operator.get('/livez')).status, 200);
  });

  test('that responds late: a process terminated while acquiring the lease releases it', async () => {
    await startWithScaler(({ verb }) => (verb === 'POST leases' ? { lateMs: 1_000 } : undefined));
    await waitFor('the lease', () => bench.api.objects.has('leases/hearth-queue-scaler'));
    bench.operator.signal('SIGTERM');
    assert.equal(await bench.operator.ended(), 0);
    assert.equal(bench.api.objects.get('leases/hearth-queue-scaler')?.spec?.['holderIdentity'], '');
    assert.equal(countRequests(0, performance.now(), 'queuescalers'), 0);
  });

  test('that breaks the protocol: the operator keeps its targets, and scales them again afterwards', async () => {
    const names = [...brokenObjects.keys()];
    let isBroken = false;
    await startWithScaler(({ verb, name }) => {
      const respond = isBroken && verb.startsWith('GET') ? brokenObjects.get(name ?? '') : undefined;
      return respond && { respond };
    });
    for (const name of names) addScaler(name);
    await bench.addJobs(3);
    await Promise.all(names.map((name) => bench.waitForReplicas(3, name)));
    isBroken = true;
    const firstLine = bench.operator.lines.length;
    await bench.queue.drain();
    await waitFor('two failures of each', () => {
      const failed = bench.operator.lines.slice(firstLine).filter(({ msg }) => msg.startsWith('reconciliation failed'));
      return names.every((name) => failed.filter(({ scaler }) => scaler === name).length >= 2);
    });
    assert.equal(bench.operator.isRunning(), true);
    assert.equal((await bench.operator.get('/livez')).status, 200);
    for (const name of names) assert.equal(replicas(name), 3, name);
    isBroken = false;
    await Promise.all(names.map((name) => bench.waitForReplicas(0, name)));
  });

  test('that is unavailable when the operator starts', async () => {
    let isUnavailable = true;
    await startWithScaler(() => (isUnavailable ? 'cut' : undefined));
    await waitFor('a warning', () => bench.operator.lines.some(({ level }) => level === 'warn'));
    assert.equal((await bench.operator.get('/readyz')).status, 503);
    assert.equal((await bench.operator.get('/livez')).status, 200);
    isUnavailable = false;
    await checkScaleUpAndDown();
    assert.equal((await bench.operator.get('/readyz')).status, 200);
  });

  test('that rejects lease renewals: the process exits, and writes nothing once another process may lead', async () => {
    let isLost = false;
    await startWithScaler(({ verb }) => (isLost && verb.endsWith('leases') ? { status: 500 } : undefined));
    await checkScaleUpAndDown();
    // Every change of the minimum makes the operator write.
    let minReplicas = 1;
    const changes = setInterval(() => {
      minReplicas = 3 - minReplicas;
      bench.api.put('queuescalers', 'worker', makeFastScaler({ minReplicas, queues: makeQueueSpecs() }));
    }, 200);
    isLost = true;
    const lostAt = performance.now();
    try {
      assert.equal(await bench.operator.ended(), 1);
    } finally {
      clearInterval(changes);
    }
    assert.ok(performance.now() - lostAt > 5_000, 'it exits before the renew deadline');
    const writes = bench.api.requests.filter(
      ({ verb, at }) => at > lostAt && /^(PATCH|POST)/.test(verb) && !verb.endsWith('leases'),
    );
    assert.ok(writes.length > 0);
    // The lease expires 15 s after the last renewal.
    assert.deepEqual(
      writes.filter(({ at }) => at > lostAt + 15_000),
      [],
    );
  });

  test('that gives the lease to another process: the process exits', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    bench.api.put('leases', 'hearth-queue-scaler', { spec: { holderIdentity: 'another', leaseDurationSeconds: 15 } });
    assert.equal(await bench.operator.ended(), 1);
  });
});
