import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestRedis, type TestRedis } from '@hearth/core/testing/redis.ts';
import { createRandom } from '@hearth/core/testing/seededRandom.ts';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import {
  deploymentOf,
  quickScaler,
  startFakeApi,
  type FakeApi,
  type Misbehaviour,
  type SeenRequest,
} from './testing/fakeApi.ts';
import { startOperator, type OperatorProcess } from './testing/operatorProcess.ts';
import { waitFor } from './testing/waitFor.ts';

suite('an API server that misbehaves', { skip: missingTool('redis-server') }, () => {
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let api: FakeApi;
  let operator: OperatorProcess;
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
    queue = new Queue(`media-${(count += 1)}`, { connection });
    await queue.waitUntilReady();
    api = await startFakeApi();
  });
  afterEach(async () => {
    operator.signal('SIGKILL');
    await operator.ended();
    await queue.close();
    await api.stop();
  });

  const start = async (
    how?: (request: SeenRequest) => Misbehaviour | undefined,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    api.misbehave(how);
    addScaler('worker');
    operator = await startOperator({
      HEARTH_KUBERNETES_URL: api.url,
      HEARTH_REDIS_URL: server.url,
      ...env,
    });
  };
  const ownQueues = () => [{ name: queue.name, prefix: 'bull', jobsPerReplica: 1 }];
  const addScaler = (name: string): void => {
    api.put('deployments', name, deploymentOf(0));
    api.put('queuescalers', name, quickScaler({ queues: ownQueues(), scaleTargetRef: { name } }));
  };
  const replicas = (name = 'worker'): unknown => api.objects.get(`deployments/${name}`)?.spec?.['replicas'];
  const converges = (count: number, name?: string): Promise<void> =>
    waitFor(`${count} replicas of ${name ?? 'worker'}`, () => replicas(name) === count);
  /** Fills the queue and empties it, and sees the pods follow. */
  const follows = async (): Promise<void> => {
    await queue.addBulk([1, 2, 3].map(() => ({ name: 'job', data: {} })));
    await converges(3);
    await queue.drain();
    await converges(0);
    assert.equal(operator.isRunning(), true);
  };
  const madeBetween = (from: number, to: number, verb = ''): number =>
    api.requests.filter((request) => request.at >= from && request.at < to && request.verb.includes(verb)).length;

  test('which does nothing wrong', async () => {
    await start();
    await follows();
    assert.deepEqual(await operator.get('/livez'), { status: 200, text: 'ok\n' });
    assert.deepEqual(await operator.get('/readyz'), { status: 200, text: 'ok\n' });
    assert.match((await operator.get('/metrics')).text, /hearth_queue_scaler_leader 1/);
    assert.equal((await operator.get('/')).status, 404);
  });

  test('which asks for no more than two requests a second at rest', async () => {
    await start();
    api.put('queuescalers', 'worker', quickScaler({ pollIntervalSeconds: 10, queues: ownQueues() }));
    await waitFor('a status', () => api.objects.get('queuescalers/worker')?.status !== undefined);
    await delay(2_000);
    const begin = performance.now();
    await delay(12_000);
    const made = madeBetween(begin, performance.now());
    assert.ok(made <= 24, `${made} requests in 12 s`);
    assert.equal(madeBetween(begin, performance.now(), 'PATCH') + madeBetween(begin, performance.now(), 'POST'), 0);
  });

  test('which says 410 to every watch at once', async () => {
    await start(({ verb }) => (verb.startsWith('WATCH') ? { status: 410 } : undefined));
    await follows();
    addScaler('second');
    await queue.add('job', {});
    await converges(1, 'second');
    const watches = api.requests.filter(({ verb }) => verb.startsWith('WATCH'));
    const seconds = (performance.now() - (watches[0]?.at ?? 0)) / 1_000;
    assert.ok(watches.length <= seconds + 3, `${watches.length} watches in ${seconds} s`);
  });

  test('which says 410 in the middle of a watch', async () => {
    await start();
    await follows();
    const lists = madeBetween(0, performance.now(), 'GET queuescalers');
    api.tellWatches(false);
    addScaler('second');
    api.sayToWatches('{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}');
    await queue.add('job', {});
    await converges(1, 'second');
    assert.ok(madeBetween(0, performance.now(), 'GET queuescalers') > lists);
  });

  test('which sends what is no JSON, and no object, in the middle of a watch', async () => {
    await start();
    await follows();
    for (const line of ['not JSON', '{"type":"MODIFIED","object":null}', '{}']) {
      await waitFor('a watch', () => api.watchCount() === 1);
      api.sayToWatches(line);
      await waitFor('its end', () => api.watchCount() === 0);
    }
    await waitFor('a watch', () => api.watchCount() === 1);
    await follows();
  });

  test('which ends and cuts watches', async () => {
    await start();
    for (const how of ['end', 'cut', 'end', 'cut'] as const) {
      await waitFor('a watch', () => api.watchCount() === 1);
      api.endWatches(how);
      await waitFor('its end', () => api.watchCount() === 0);
    }
    await waitFor('a watch', () => api.watchCount() === 1);
    addScaler('second');
    await queue.add('job', {});
    await Promise.all([converges(1), converges(1, 'second')]);
  });

  test('which goes on with a watch, and says nothing in it any more', async () => {
    await start(undefined, { HEARTH_WATCH_SILENCE_SECONDS: '2' });
    await follows();
    await waitFor('a watch', () => api.watchCount() === 1);
    api.tellWatches(false);
    const silentSince = performance.now();
    // As of a connection whose other end is gone: no byte, and no end.
    addScaler('second');
    await queue.add('job', {});
    await converges(1, 'second');
    const begun = api.requests.filter(({ verb, at }) => verb.startsWith('WATCH') && at > silentSince);
    assert.ok(begun.length > 0, 'no other watch was begun');
    assert.ok(operator.lines.some(({ err }) => err?.message.includes('was silent for 2000 ms')));
    assert.equal((await operator.get('/livez')).status, 200);
    assert.equal(api.watchCount(), 1, 'watches that are left open');
  });

  test('which takes a watch and never begins to answer', async () => {
    let isSilent = true;
    await start(({ verb }) => (isSilent && verb.startsWith('WATCH') ? 'silence' : undefined), {
      HEARTH_WATCH_SILENCE_SECONDS: '2',
    });
    await waitFor('trouble', () => operator.lines.some(({ err }) => err?.message.includes('was silent for')));
    addScaler('second');
    await queue.add('job', {});
    await converges(1, 'second');
    isSilent = false;
    await waitFor('a watch', () => api.watchCount() === 1);
  });

  test('which loses a change of a QueueScaler', async () => {
    await start();
    await follows();
    api.tellWatches(false);
    const { spec } = quickScaler({ minReplicas: 2, queues: ownQueues() });
    api.put('queuescalers', 'worker', { spec });
    await converges(2);
  });

  test('which tells of changes in the wrong order', async () => {
    await start();
    await follows();
    const old = api.objects.get('queuescalers/worker');
    const { spec } = quickScaler({ minReplicas: 2, queues: ownQueues() });
    api.put('queuescalers', 'worker', { spec });
    api.sayToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    api.sayToWatches(JSON.stringify({ type: 'DELETED', object: old }));
    await converges(2);
    api.remove('queuescalers', 'worker');
    api.sayToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    await waitFor(
      'its series are gone',
      async () => !(await operator.get('/metrics')).text.includes('scaler="worker",queue='),
    );
    assert.equal(operator.isRunning(), true);
  });

  test('which refuses a scaling because the Deployment was changed', async () => {
    let refusals = 3;
    await start(({ verb }) => {
      if (verb !== 'PATCH deployments/scale' || refusals === 0) return undefined;
      // Changed between being read and being scaled.
      refusals -= 1;
      api.put('deployments', 'worker', {});
      return undefined;
    });
    await follows();
    // A scaling that did not say which version it is about would be let through.
    const answers = api.requests.filter(({ verb }) => verb === 'PATCH deployments/scale').map(({ status }) => status);
    assert.deepEqual(answers.slice(0, 4), [409, 409, 409, 200]);
  });

  test('which wants to be left alone for a while', async () => {
    let refusedAt: number | undefined;
    await start(({ verb, at }) => {
      if (verb !== 'GET deployments' || refusedAt !== undefined) return undefined;
      refusedAt = at;
      return { status: 429, headers: { 'Retry-After': '3' } };
    });
    await waitFor('the refusal', () => refusedAt !== undefined);
    await follows();
    const next = api.requests.find(({ verb, at }) => verb === 'GET deployments' && at > (refusedAt ?? 0));
    assert.ok((next?.at ?? 0) - (refusedAt ?? 0) >= 2_900);
  });

  test('which wants not to be asked for a list for a while', async () => {
    await start(({ verb, name, at }) =>
      verb === 'GET queuescalers' && name === undefined && madeBetween(0, at, 'GET queuescalers') === 0
        ? { status: 429, headers: { 'Retry-After': '4' } }
        : undefined,
    );
    await follows();
    const [first, second] = api.requests.filter(({ verb, name }) => verb === 'GET queuescalers' && name === undefined);
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 3_900);
  });

  test('which is slow, cuts connections and fails now and then', async (t) => {
    const seed = Date.now();
    t.diagnostic(`seed ${seed}`);
    const random = createRandom(seed, 0);
    await start(({ verb }) => {
      if (verb.endsWith('leases') || random.chance(0.85)) return undefined;
      return random.pick<Misbehaviour>(['cut', { status: 500 }, { status: 503 }, { delayMs: 3_000 }]);
    });
    await follows();
    await follows();
  });

  test('which takes a connection and never answers', async () => {
    let isSilent = false;
    await start(({ verb }) => (isSilent && !verb.endsWith('leases') ? 'silence' : undefined));
    await follows();
    isSilent = true;
    await waitFor('a turn that gave up', () =>
      operator.lines.some(({ msg }) => msg.startsWith('reconciliation failed')),
    );
    assert.equal((await operator.get('/livez')).status, 200);
    isSilent = false;
    await follows();
  });

  test('which lists so slowly that many QueueScalers wait for it: the leader stays', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    // Longer than a leader may go without its lease.
    const delayMs = 12_000;
    await start(({ verb }) => (/GET (horizontalpodautoscalers|scaledobjects)/.test(verb) ? { delayMs } : undefined));
    for (const name of names) addScaler(name);
    await queue.add('job', {});
    const begin = performance.now();
    await waitFor('a scaling', () => !operator.isRunning() || names.some((name) => replicas(name) === 1));
    assert.equal(operator.isRunning(), true);
    assert.ok(performance.now() - begin >= delayMs, 'no list was slow');
    assert.equal((await operator.get('/livez')).status, 200);
  });

  test('which says late that the lease is taken: a process that is ended meanwhile gives it back', async () => {
    await start(({ verb }) => (verb === 'POST leases' ? { lateMs: 1_000 } : undefined));
    await waitFor('the lease', () => api.objects.has('leases/hearth-queue-scaler'));
    operator.signal('SIGTERM');
    assert.equal(await operator.ended(), 0);
    assert.equal(api.objects.get('leases/hearth-queue-scaler')?.spec?.['holderIdentity'], '');
    assert.equal(madeBetween(0, performance.now(), 'queuescalers'), 0);
  });

  test('which is away when the operator starts', async () => {
    let isAway = true;
    await start(() => (isAway ? 'cut' : undefined));
    await waitFor('trouble', () => operator.lines.some(({ level }) => level === 'warn'));
    assert.equal((await operator.get('/readyz')).status, 503);
    assert.equal((await operator.get('/livez')).status, 200);
    isAway = false;
    await follows();
    assert.equal((await operator.get('/readyz')).status, 200);
  });

  test('which loses the lease: the process ends, and has written nothing meanwhile', async () => {
    const isRefused = { is: false };
    await start(({ verb }) => (isRefused.is && verb.endsWith('leases') ? { status: 500 } : undefined));
    await follows();
    isRefused.is = true;
    const lostAt = performance.now();
    assert.equal(await operator.ended(), 1);
    const seconds = (performance.now() - lostAt) / 1_000;
    assert.ok(seconds > 5 && seconds < 14, `ended after ${seconds} s`);
    const late = api.requests.filter(
      ({ verb, at }) => at > lostAt + 10_500 && !verb.startsWith('GET') && !verb.endsWith('leases'),
    );
    assert.deepEqual(late, []);
  });

  test('in which another process holds the lease by force', async () => {
    await start();
    await follows();
    api.put('leases', 'hearth-queue-scaler', { spec: { holderIdentity: 'another', leaseDurationSeconds: 15 } });
    assert.equal(await operator.ended(), 1);
  });
});
