import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@hearth/core/testing/seededRandom.ts';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { quickScaler, type Misbehaviour } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { waitFor } from './testing/waitFor.ts';

suite('an API server that misbehaves', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addScaler, follows, madeBetween, ownQueues, replicas, startWithScaler } = bench;

  test('which does nothing wrong', async () => {
    await startWithScaler();
    await follows();
    assert.deepEqual(await bench.operator.get('/livez'), { status: 200, text: 'ok\n' });
    assert.deepEqual(await bench.operator.get('/readyz'), { status: 200, text: 'ok\n' });
    assert.match((await bench.operator.get('/metrics')).text, /hearth_queue_scaler_leader 1/);
    assert.equal((await bench.operator.get('/')).status, 404);
  });

  test('which asks for no more than two requests a second at rest', async () => {
    await startWithScaler();
    bench.api.put('queuescalers', 'worker', quickScaler({ pollIntervalSeconds: 10, queues: ownQueues() }));
    await waitFor('a status', () => bench.api.objects.get('queuescalers/worker')?.status !== undefined);
    await delay(2_000);
    const begin = performance.now();
    await delay(12_000);
    const made = madeBetween(begin, performance.now());
    assert.ok(made <= 24, `${made} requests in 12 s`);
    assert.equal(madeBetween(begin, performance.now(), 'PATCH') + madeBetween(begin, performance.now(), 'POST'), 0);
  });

  test('which refuses a scaling because the Deployment was changed', async () => {
    let refusals = 3;
    await startWithScaler(({ verb }) => {
      if (verb !== 'PATCH deployments/scale' || refusals === 0) return undefined;
      // Changed between being read and being scaled.
      refusals -= 1;
      bench.api.put('deployments', 'worker', {});
      return undefined;
    });
    await follows();
    // A scaling that did not say which version it is about would be let through.
    const answers = bench.api.requests
      .filter(({ verb }) => verb === 'PATCH deployments/scale')
      .map(({ status }) => status);
    assert.deepEqual(answers.slice(0, 4), [409, 409, 409, 200]);
  });

  test('which wants to be left alone for a while', async () => {
    let refusedAt: number | undefined;
    await startWithScaler(({ verb, at }) => {
      if (verb !== 'GET deployments' || refusedAt !== undefined) return undefined;
      refusedAt = at;
      return { status: 429, headers: { 'Retry-After': '3' } };
    });
    await waitFor('the refusal', () => refusedAt !== undefined);
    await follows();
    const next = bench.api.requests.find(({ verb, at }) => verb === 'GET deployments' && at > (refusedAt ?? 0));
    assert.ok((next?.at ?? 0) - (refusedAt ?? 0) >= 2_900);
  });

  test('which wants not to be asked for a list for a while', async () => {
    await startWithScaler(({ verb, name, at }) =>
      verb === 'GET queuescalers' && name === undefined && madeBetween(0, at, 'GET queuescalers') === 0
        ? { status: 429, headers: { 'Retry-After': '4' } }
        : undefined,
    );
    await follows();
    const [first, second] = bench.api.requests.filter(
      ({ verb, name }) => verb === 'GET queuescalers' && name === undefined,
    );
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 3_900);
  });

  test('which is slow, cuts connections and fails now and then', async (t) => {
    const seed = Date.now();
    t.diagnostic(`seed ${seed}`);
    const random = createRandom(seed, 0);
    await startWithScaler(({ verb }) => {
      if (verb.endsWith('leases') || random.chance(0.85)) return undefined;
      return random.pick<Misbehaviour>(['cut', { status: 500 }, { status: 503 }, { delayMs: 3_000 }]);
    });
    await follows();
    await follows();
  });

  test('which takes a connection and never answers', async () => {
    let isSilent = false;
    await startWithScaler(({ verb }) => (isSilent && !verb.endsWith('leases') ? 'silence' : undefined));
    await follows();
    isSilent = true;
    await waitFor('a turn that gave up', () =>
      bench.operator.lines.some(({ msg }) => msg.startsWith('reconciliation failed')),
    );
    assert.equal((await bench.operator.get('/livez')).status, 200);
    isSilent = false;
    await follows();
  });

  test('which lists so slowly that many QueueScalers wait for it: the leader stays', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    // Longer than a leader may go without its lease.
    const delayMs = 12_000;
    await startWithScaler(({ verb }) =>
      /GET (horizontalpodautoscalers|scaledobjects)/.test(verb) ? { delayMs } : undefined,
    );
    for (const name of names) addScaler(name);
    await bench.queue.add('job', {});
    const begin = performance.now();
    await waitFor('a scaling', () => !bench.operator.isRunning() || names.some((name) => replicas(name) === 1));
    assert.equal(bench.operator.isRunning(), true);
    assert.ok(performance.now() - begin >= delayMs, 'no list was slow');
    assert.equal((await bench.operator.get('/livez')).status, 200);
  });

  test('which says late that the lease is taken: a process that is ended meanwhile gives it back', async () => {
    await startWithScaler(({ verb }) => (verb === 'POST leases' ? { lateMs: 1_000 } : undefined));
    await waitFor('the lease', () => bench.api.objects.has('leases/hearth-queue-scaler'));
    bench.operator.signal('SIGTERM');
    assert.equal(await bench.operator.ended(), 0);
    assert.equal(bench.api.objects.get('leases/hearth-queue-scaler')?.spec?.['holderIdentity'], '');
    assert.equal(madeBetween(0, performance.now(), 'queuescalers'), 0);
  });

  test('which is away when the operator starts', async () => {
    let isAway = true;
    await startWithScaler(() => (isAway ? 'cut' : undefined));
    await waitFor('trouble', () => bench.operator.lines.some(({ level }) => level === 'warn'));
    assert.equal((await bench.operator.get('/readyz')).status, 503);
    assert.equal((await bench.operator.get('/livez')).status, 200);
    isAway = false;
    await follows();
    assert.equal((await bench.operator.get('/readyz')).status, 200);
  });

  test('which loses the lease: the process ends, and has written nothing meanwhile', async () => {
    const isRefused = { is: false };
    await startWithScaler(({ verb }) => (isRefused.is && verb.endsWith('leases') ? { status: 500 } : undefined));
    await follows();
    isRefused.is = true;
    const lostAt = performance.now();
    assert.equal(await bench.operator.ended(), 1);
    const seconds = (performance.now() - lostAt) / 1_000;
    assert.ok(seconds > 5 && seconds < 14, `ended after ${seconds} s`);
    const late = bench.api.requests.filter(
      ({ verb, at }) => at > lostAt + 10_500 && !verb.startsWith('GET') && !verb.endsWith('leases'),
    );
    assert.deepEqual(late, []);
  });

  test('in which another process holds the lease by force', async () => {
    await startWithScaler();
    await follows();
    bench.api.put('leases', 'hearth-queue-scaler', { spec: { holderIdentity: 'another', leaseDurationSeconds: 15 } });
    assert.equal(await bench.operator.ended(), 1);
  });
});
