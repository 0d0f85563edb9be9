import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { makeDeployment, makeFastScaler, startFakeApi, type FakeApi, type RecordedRequest } from './testing/fakeApi.ts';
import { startOperator, type OperatorProcess } from './testing/operatorProcess.ts';
import { waitFor } from './testing/waitFor.ts';

suite('two replicas', { skip: missingTool('redis-server') }, () => {
  let directory: string;
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let api: FakeApi;
  const operators = new Map<string, OperatorProcess>();
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearth-test-hand-over-'));
    server = await startTestRedis();
    connection = new Redis(server.url, { maxRetriesPerRequest: null });
    queue = new Queue('media', { connection });
    await queue.waitUntilReady();
    api = await startFakeApi();
    api.put('deployments', 'worker', makeDeployment(0));
    api.put(
      'queuescalers',
      'worker',
      makeFastScaler({ queues: [{ name: 'media', prefix: 'bull', jobsPerReplica: 1 }] }),
    );
  });
  after(async () => {
    for (const operator of operators.values()) operator.signal('SIGKILL');
    connection.disconnect();
    await Promise.all([server.stop(), api.stop(), rm(directory, { recursive: true })]);
  });

  const start = async (name: string): Promise<OperatorProcess> => {
    const tokenFile = join(directory, name);
    await writeFile(tokenFile, `${name}\n`);
    const operator = await startOperator({
      HEARTH_KUBERNETES_URL: api.url,
      HEARTH_KUBERNETES_TOKEN_FILE: tokenFile,
      HEARTH_REDIS_URL: server.url,
      HEARTH_POD_NAME: name,
    });
    operators.set(name, operator);
    return operator;
  };
  const writes = (): readonly RecordedRequest[] =>
    api.requests.filter(({ verb }) => /^(PATCH|POST)/.test(verb) && !verb.endsWith('leases'));
  const listWrites = (name: string): readonly RecordedRequest[] =>
    writes().filter(({ token }) => token === `Bearer ${name}`);
  const scaleTo = async (count: number): Promise<void> => {
    await queue.drain();
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: {} })));
    await waitFor(`${count} pods`, () => api.objects.get('deployments/worker')?.spec?.['replicas'] === count);
  };

  test('only one of two replicas writes, and the other is ready', async () => {
    await start('first');
    await scaleTo(1);
    const second = await start('second');
    await scaleTo(2);
    assert.deepEqual(listWrites('second'), []);
    await waitFor('the readiness of the second replica', async () => (await second.get('/readyz')).status === 200);
    assert.equal((await second.get('/livez')).status, 200);
    const { text } = await second.get('/metrics');
    assert.match(text, /hearth_queue_scaler_leader 0/);
    assert.doesNotMatch(text, /hearth_queue_scaler_queue_jobs{/);
  });

  test('SIGTERM hands over within 3 s', async () => {
    const begin = performance.now();
    operators.get('first')?.signal('SIGTERM');
    await queue.add('job', {});
    await waitFor('a write by the second replica', () => listWrites('second').length > 0);
    const seconds = ((listWrites('second')[0]?.at ?? 0) - begin) / 1_000;
    assert.equal(await operators.get('first')?.ended(), 0);
    assert.ok(seconds <= 3, `${seconds} s`);
  });

  test('kill -9 hands over within 20 s', async () => {
    await start('third');
    await scaleTo(1);
    const begin = performance.now();
    operators.get('second')?.signal('SIGKILL');
    await queue.add('job', {});
    await waitFor('a write by the third replica', () => listWrites('third').length > 0);
    const seconds = ((listWrites('third')[0]?.at ?? 0) - begin) / 1_000;
    assert.ok(seconds > 10 && seconds <= 20, `${seconds} s`);
  });

  test('a leader that was frozen writes nothing after it is thawed, and exits', async () => {
    await start('fourth');
    await scaleTo(1);
    const frozenOperator = operators.get('third');
    frozenOperator?.signal('SIGSTOP');
    await queue.add('job', {});
    await waitFor('a write by the fourth replica', () => listWrites('fourth').length > 0);
    const thawedAt = performance.now();
    frozenOperator?.signal('SIGCONT');
    await queue.drain();
    assert.equal(await frozenOperator?.ended(), 1);
    await scaleTo(3);
    assert.deepEqual(
      listWrites('third').filter(({ at }) => at > thawedAt),
      [],
    );
  });

  test('no two replicas write at the same time', () => {
    const order = writes().map(({ token }) => token);
    const leaders = order.filter((token, index) => token !== order[index - 1]);
    assert.deepEqual(
      leaders,
      ['first', 'second', 'third', 'fourth'].map((name) => `Bearer ${name}`),
    );
  });
});
