import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { inspect, promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findFreePort } from '../process/freePort.ts';
import { createLog } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { QueueUnavailableError, type Queues } from './queue.ts';
import { testQueue } from '@hearth/testkit/queue/queueSuite.ts';
import { isRefused, makeJobs } from '@hearth/testkit/queue/queueTestBench.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { openRedisQueues } from './redisQueues.ts';

const timings = { lockMs: 2_000, stalledCheckMs: 1_000 };

const open = (url: string): Queues => openRedisQueues({ url, log: createLog('test', 'fatal'), timings });

const skip = missingTool('redis-server');

testQueue(
  'queues on Redis',
  async () => {
    const server = await startTestRedis();
    const { url } = server;
    return {
      open: () => open(url),
      openSource: `
      import { openRedisQueues } from ${JSON.stringify(new URL('redisQueues.ts', import.meta.url).href)};
      import { createLog } from ${JSON.stringify(new URL('../log/log.ts', import.meta.url).href)};
      const queues = openRedisQueues({
        url: ${JSON.stringify(url)}, log: createLog('child', 'fatal'), timings: ${JSON.stringify(timings)} });`,
      empty: async () => {
        const redis = new Redis(url);
        await redis.flushall();
        redis.disconnect();
      },
      kill: server.kill,
      restart: server.restart,
      freeze: server.freeze,
      thaw: server.thaw,
    };
  },
  { skip },
);

/** Runs an ES module in which `open(url)` opens queues that log warnings. Returns its output. */
const runProgram = async (source: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const program = `
    import { openRedisQueues } from ${JSON.stringify(new URL('redisQueues.ts', import.meta.url).href)};
    import { createLog } from ${JSON.stringify(new URL('../log/log.ts', import.meta.url).href)};
    const open = (url) => openRedisQueues({ url, log: createLog('child', 'warn') });
    ${source}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  });
  return stdout + stderr;
};

/** Collects the jobs of a consumer until the end of the test. */
const consume = (t: TestContext, queues: Queues): string[] => {
  const handled: string[] = [];
  const handle = async ({ mediaItemId }: MediaItemJob): Promise<void> => void handled.push(mediaItemId);
  const consumer = queues.consume({ pool: 'media', concurrency: 1, name: 'test', handle });
  t.after(async () => {
    await consumer.close(5_000);
    await queues.close();
  });
  return handled;
};

suite('a queue on Redis', { skip }, () => {
  test('continues when Redis restarts without its data', async (t) => {
    const server = await startTestRedis();
    t.after(() => server.stop());
    const queues = open(server.url);
    const handled = consume(t, queues);
    await queues.enqueue('media', makeJobs(1), 'upload');
    await waitUntil('the jobs are handed out', () => handled.length === 1);
    await server.kill();
    await rm(join(server.directory, 'appendonlydir'), { recursive: true });
    await server.restart();
    await queues.enqueue('media', makeJobs(1), 'upload');
    await waitUntil('the jobs are handed out', () => handled.length === 2);
  });

  test('registers the queue again after FLUSHALL, even if nothing is enqueued', async (t) => {
    const server = await startTestRedis();
    const redis = new Redis(server.url);
    t.after(async () => {
      redis.disconnect();
      await server.stop();
    });
    const queues = open(server.url);
    await queues.enqueue('media', makeJobs(1), 'upload');
    await queues.pause('media');
    const before = await redis.hgetall('bull:media:meta');
    await queues.declare('media');
    assert.deepEqual(await redis.hgetall('bull:media:meta'), before, 'existing metadata stays unchanged');
    await redis.flushall();
    assert.equal(await queues.depth('media'), 0);
    await queues.declare('media');
    const { version, ...meta } = await redis.hgetall('bull:media:meta');
    assert.match(version ?? '', /^bullmq:/);
    assert.deepEqual(meta, { 'opts.maxLenEvents': before['opts.maxLenEvents'] });
    const clients = (await redis.client('LIST')) as string;
    assert.equal(clients.trim().split('\n').length, 2, 'no new connection is opened');
    await queues.close();
    await assert.rejects(queues.declare('media'), QueueUnavailableError);
  });

  test('reconnects when the machine vanishes without closing connections', async (t) => {
    const server = await startTestRedis();
    t.after(() => server.stop());
    const proxy = await startTcpProxy();
    t.after(() => proxy.cut());
    const queues = open(proxy.setTarget(server.url));
    const handled = consume(t, queues);
    await queues.enqueue('media', makeJobs(1), 'upload');
    await waitUntil('the jobs are handed out', () => handled.length === 1);
    proxy.dropSilently();
    await assert.rejects(queues.enqueue('media', makeJobs(1), 'upload'), QueueUnavailableError);
    await waitUntil(
      'the queue takes jobs again',
      async () => !(await isRefused(queues.enqueue('media', makeJobs(1), 'upload'))),
    );
    await waitUntil('the jobs are handed out', () => handled.length >= 2);
  });

  test('keeps two connections and one per consumer, even after outages, and none once it is closed', async () => {
    const server = await startTestRedis();
    const queues = open(server.url);
    const consumers = ['one', 'two'].map((name) =>
      queues.consume({ pool: 'media', concurrency: 4, name, handle: async () => undefined }),
    );
    const count = async (): Promise<number> => {
      const redis = new Redis(server.url);
      const clients = (await redis.client('LIST')) as string;
      redis.disconnect();
      return clients.trim().split('\n').length - 1;
    };
    const isWorking = async (): Promise<boolean> => !(await isRefused(queues.enqueue('media', makeJobs(1), 'upload')));
    for (let kills = 0; kills <= 2; kills += 1) {
      if (kills > 0) {
        await server.kill();
        for (let tries = 0; tries < 20; tries += 1) assert.equal(await isWorking(), false);
        await server.restart();
      }
      await waitUntil('the queue works', isWorking);
      await waitUntil('no job is left', async () => (await queues.depth('media')) === 0);
      await waitUntil('four connections are open', async () => (await count()) === 4);
    }
    for (const consumer of consumers) await consumer.close(5_000);
    await queues.close();
    await waitUntil('no connection is open', async () => (await count()) === 0);
    await assert.rejects(queues.depth('media'), QueueUnavailableError);
    await server.stop();
  });

  test('signs in with the password in its URL and never includes it in an error', async (t) => {
    const password = 'p@ss/word:1%';
    const server = await startTestRedis({ args: ['--requirepass', password] });
    t.after(() => server.stop());
    const withPassword = (text: string): string => server.url.replace('//', `//:${encodeURIComponent(text)}@`);
    const right = open(withPassword(password));
    await right.enqueue('media', makeJobs(1), 'upload');
    assert.equal(await right.depth('media'), 1);
    await right.close();
    const wrong = open(withPassword('wrong-password'));
    await assert.rejects(wrong.depth('media'), (error) => {
      assert.ok(error instanceof QueueUnavailableError);
      assert.match(inspect(error), /WRONGPASS/);
      assert.doesNotMatch(inspect(error, { depth: Infinity, showHidden: true }), /wrong-password/);
      return true;
    });
    await wrong.close();
  });

  test('uses TLS for rediss:// and requires a valid certificate', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'hearth-redis-tls-'));
    t.after(() => rm(directory, { recursive: true }));
    const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`;
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate];
    await promisify(execFile)('openssl', [...request.split(' '), ...names]);
    const port = await findFreePort();
    const tls = ['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key];
    const server = await startTestRedis({ args: [...tls, '--tls-auth-clients', 'no'] });
    t.after(() => server.stop());
    const source = `
      const queues = open('rediss://127.0.0.1:${port}/0');
      await queues.enqueue('media', [{ mediaItemId: 'x' }], 'upload').catch((error) => console.log(error.cause.message));
      console.log(await queues.depth('media').catch(() => 'unknown'));
      await queues.close();`;
    assert.equal(await runProgram(source, { NODE_EXTRA_CA_CERTS: certificate }), '1\n');
    assert.match(await runProgram(source), /self-signed certificate[^]*unknown/);
  });

  test('logs one warning if Redis may evict jobs', async (t) => {
    const server = await startTestRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] });
    t.after(() => server.stop());
    const printed = await runProgram(`
      const queues = open('${server.url}');
      const consumer = queues.consume({ pool: 'media', concurrency: 1, name: 'test', handle: async () => undefined });
      await queues.enqueue('media', [{ mediaItemId: 'x' }], 'upload');
      while (await queues.depth('media') > 0);
      await consumer.close(5_000);
      await queues.close();`);
    const lines = printed.trim().split('\n');
    assert.equal(lines.length, 1, printed);
    assert.match(lines[0]!, /"level":"warn".*"policy":"allkeys-lru".*noeviction/);
  });
});
