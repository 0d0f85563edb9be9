import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/core/testing/redis.ts';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { waitFor } from '../testing/waitFor.ts';
import { observeQueues, type QueuesObservation } from './observeQueues.ts';
import { openRedisConnections } from './redis.ts';

const queueSpec = (name: string, prefix = 'bull') => ({ name, prefix, jobsPerReplica: 5 });

suite('what is observed of BullMQ', { skip: missingTool('redis-server') }, () => {
  let server: TestRedis;
  let redis: Redis;
  const connections = openRedisConnections();
  const opened: { close(force?: boolean): Promise<void> }[] = [];
  before(async () => {
    server = await startTestRedis();
    redis = new Redis(server.url, { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
  });
  after(async () => {
    for (const each of opened) await each.close(true);
    connections.close();
    redis.disconnect();
    await server.stop();
  });

  const openQueue = async (name: string): Promise<Queue> => {
    const queue = new Queue(name, { connection: redis });
    queue.on('error', () => undefined);
    opened.push(queue);
    await queue.waitUntilReady();
    return queue;
  };
  const observe = (...names: string[]): Promise<QueuesObservation> =>
    observeQueues(
      connections,
      server.url,
      { queues: names.map((name) => queueSpec(name)), lookaheadSeconds: 30 },
      Date.now(),
    );
  const observeOne = async (name: string) => {
    const { queues, unknownQueues } = await observe(name);
    assert.deepEqual(unknownQueues, []);
    return queues[0];
  };
  /** Takes jobs by the name of a pod and keeps them until it is closed. */
  const startWorker = async (queue: Queue, name: string): Promise<Worker> => {
    const worker = new Worker(queue.name, () => new Promise(() => undefined), {
      connection: redis,
      name,
      stalledInterval: 300_000,
    });
    worker.on('error', () => undefined);
    opened.push(worker);
    await worker.waitUntilReady();
    return worker;
  };

  test('a queue that nobody has opened is unknown, and not empty', async () => {
    const { queues, unknownQueues } = await observe('never');
    assert.deepEqual(queues, []);
    assert.match(unknownQueues[0]?.reason ?? '', /nobody has opened the queue bull:never/);
  });

  test('an open queue is empty', async () => {
    await openQueue('empty');
    const { version: _, ...rest } = (await observeOne('empty')) ?? {};
    assert.deepEqual(rest, {
      name: 'empty',
      isPaused: false,
      waiting: 0,
      prioritized: 0,
      delayed: 0,
      dueDelayed: 0,
      active: 0,
      waitingChildren: 0,
      oldestWaitSeconds: undefined,
    });
  });

  test('waiting, prioritized and delayed jobs are counted, and of the delayed ones those that are due', async () => {
    const queue = await openQueue('full');
    await queue.add('job', {}, { timestamp: Date.now() - 90_000 });
    await queue.addBulk([
      { name: 'job', data: {} },
      { name: 'job', data: {}, opts: { priority: 5 } },
    ]);
    await queue.add('job', {}, { delay: 20_000 });
    await queue.add('job', {}, { delay: 29_000 });
    await queue.add('job', {}, { delay: 60_000 });
    const found = await observeOne('full');
    assert.deepEqual(
      [found?.waiting, found?.prioritized, found?.delayed, found?.dueDelayed, found?.active],
      [2, 1, 3, 2, 0],
    );
    assert.ok(found?.oldestWaitSeconds !== undefined && found.oldestWaitSeconds >= 90 && found.oldestWaitSeconds < 120);
  });

  test('a prioritized job is next where none waits', async () => {
    const queue = await openQueue('prioritized');
    await queue.add('job', {}, { priority: 9, timestamp: Date.now() - 50_000 });
    const age = (await observeOne('prioritized'))?.oldestWaitSeconds ?? 0;
    assert.ok(age >= 50 && age < 80);
  });

  test('a paused queue keeps its jobs, as BullMQ 6 and as BullMQ 5 pause it', async () => {
    const queue = await openQueue('paused');
    await queue.add('job', {});
    await queue.pause();
    assert.deepEqual([(await observeOne('paused'))?.isPaused, (await observeOne('paused'))?.waiting], [true, 1]);
    // BullMQ 5 renames the list.
    await redis.rename('bull:paused:wait', 'bull:paused:paused');
    assert.deepEqual([(await observeOne('paused'))?.isPaused, (await observeOne('paused'))?.waiting], [true, 1]);
    await redis.rename('bull:paused:paused', 'bull:paused:wait');
    await queue.resume();
    assert.deepEqual([(await observeOne('paused'))?.isPaused, (await observeOne('paused'))?.waiting], [false, 1]);
  });

  test('an active job tells which worker has it since when, also after that was killed', async () => {
    const queue = await openQueue('active');
    const begin = Date.now();
    const worker = await startWorker(queue, 'worker-abc-1');
    await queue.add('job', {});
    await waitFor('jobs in hand', async () => (await observeOne('active'))?.active === 1);
    const { jobsInHand } = await observe('active');
    assert.deepEqual(
      jobsInHand.map(({ processedBy }) => processedBy),
      ['worker-abc-1'],
    );
    assert.ok((jobsInHand[0]?.processedOn ?? 0) >= begin);
    await worker.close(true);
    assert.equal((await observeOne('active'))?.active, 1);
  });

  test('jobs of several queues are told apart from nobody’s', async () => {
    const [first, second] = [await openQueue('first'), await openQueue('second')];
    await startWorker(first, 'pod-1');
    await startWorker(second, 'pod-2');
    await Promise.all([first.add('job', {}), second.add('job', {})]);
    await waitFor('jobs in hand', async () =>
      (await observe('first', 'second')).queues.every(({ active }) => active === 1),
    );
    // As if removed between the two looks.
    await redis.lpush('bull:second:active', 'gone');
    const { jobsInHand } = await observe('first', 'empty', 'second');
    assert.deepEqual(
      jobsInHand.map(({ processedBy }) => processedBy),
      ['pod-1', undefined, 'pod-2'],
    );
  });

  test('the version of BullMQ is said, and the layout of another one is not guessed at', async () => {
    await openQueue('versions');
    assert.match((await observeOne('versions'))?.version ?? '', /^bullmq:6\.\d+\.\d+$/);
    await redis.hset('bull:versions:meta', 'version', 'bullmq:5.58.0');
    assert.equal((await observeOne('versions'))?.version, 'bullmq:5.58.0');
    for (const version of ['bullmq:7.0.0', 'bullmq:4.18.3', 'bullmq:60.0.0', 'bullmq-pro:7.38.0', 'nonsense']) {
      await redis.hset('bull:versions:meta', 'version', version);
      const { queues, unknownQueues } = await observe('versions', 'empty');
      assert.deepEqual(
        queues.map(({ name }) => name),
        ['empty'],
      );
      assert.equal(
        unknownQueues[0]?.reason,
        `the queue bull:versions was opened by ${version}, and only the layout of bullmq 5 and 6 is known`,
      );
    }
    // As a producer leaves it that was told to write none.
    await redis.hdel('bull:versions:meta', 'version');
    assert.equal((await observeOne('versions'))?.version, undefined);
  });

  test('a key of the wrong type makes its queue unknown, and no other', async () => {
    await openQueue('broken');
    await redis.set('bull:broken:wait', 'not a list');
    const { queues, unknownQueues } = await observe('empty', 'broken');
    assert.deepEqual(
      queues.map(({ name }) => name),
      ['empty'],
    );
    assert.match(unknownQueues[0]?.reason ?? '', /WRONGTYPE/);
  });

  test('numbers that are none, and more jobs in hand than there can be, do no harm', async () => {
    const queue = await openQueue('nonsense');
    for (const timestamp of ['-1e300', '1e300', 'NaN', '-5', '', 'Infinity']) {
      const job = await queue.add('job', {});
      await redis.hset(`bull:nonsense:${job.id}`, 'timestamp', timestamp);
      assert.equal((await observeOne('nonsense'))?.oldestWaitSeconds, undefined, timestamp);
      await job.remove();
    }
    for (const [index, processedOn] of ['-1e300', 'NaN', 'Infinity'].entries()) {
      await redis.hset(`bull:nonsense:x${index}`, 'processedOn', processedOn, 'pb', 'pod-1');
      await redis.lpush('bull:nonsense:active', `x${index}`);
    }
    await redis.set('bull:nonsense:text', 'no hash');
    await redis.lpush('bull:nonsense:active', 'text');
    assert.deepEqual(
      (await observe('nonsense')).jobsInHand.map(({ processedBy, processedOn }) => [processedBy, processedOn]),
      [[undefined, undefined], ...[0, 1, 2].map(() => ['pod-1', undefined])],
    );
    for (let times = 0; times < 10; times++)
      await redis.rpush('bull:nonsense:active', ...Array.from({ length: 1_000 }, (_, index) => `y${index}`));
    const { queues, jobsInHand } = await observe('nonsense');
    assert.equal(queues[0]?.active, 10_004);
    assert.equal(jobsInHand.length, 4_000);
  });

  test('a Redis that does not answer keeps nobody waiting who asks right after', async () => {
    const frozen = await startTestRedis();
    try {
      await frozen.freeze();
      const look = (): Promise<QueuesObservation> =>
        observeQueues(connections, frozen.url, { queues: [queueSpec('any')], lookaheadSeconds: 0 }, Date.now());
      await look();
      const begin = performance.now();
      for (let times = 0; times < 20; times++)
        assert.match((await look()).unknownQueues[0]?.reason ?? '', /did not answer within/);
      assert.ok(performance.now() - begin < 1_000);
    } finally {
      await frozen.thaw();
      await frozen.stop();
    }
  });

  test('a Redis that closes every connection is told of in one sentence, whenever it does', async () => {
    const closings: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.once('data', () => socket.destroy()),
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      // As one that has loaded, and closes in the middle of the questions.
      (socket) =>
        socket.on('data', (data) => {
          if (data.includes('info')) socket.write('$18\r\nredis_version:8.0\n\r\n');
          else socket.destroy();
        }),
    ];
    const reasons = new Set<string | undefined>();
    for (const close of closings) {
      const server = createServer((socket) => close(socket.on('error', () => undefined)));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (let times = 0; times < 5; times++) {
        const spec = { queues: [queueSpec('any')], lookaheadSeconds: 0 };
        reasons.add((await observeQueues(connections, url, spec, Date.now())).unknownQueues[0]?.reason);
        // Forgets the failure.
        connections.closeIdle();
      }
      server.close();
    }
    assert.deepEqual([...reasons], ['Redis closed the connection']);
  });

  test('what is said of an address that is none does not show it', async () => {
    for (const url of ['redis://:secret@host:99999', 'redis://:secret@[::bad', 'redis://:sec ret@nowhere.invalid/a']) {
      const { unknownQueues } = await observeQueues(
        connections,
        url,
        { queues: [queueSpec('any')], lookaheadSeconds: 0 },
        Date.now(),
      );
      assert.equal(unknownQueues.length, 1);
      assert.doesNotMatch(unknownQueues[0]?.reason ?? '', /sec/);
    }
  });

  test('a Redis that is slow, frozen, killed, back and emptied is unknown, known and unknown', async () => {
    const queue = await openQueue('fragile');
    await queue.add('job', {});
    const isKnown = async (): Promise<boolean> => (await observe('fragile')).unknownQueues.length === 0;
    assert.equal(await isKnown(), true);
    await server.freeze();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /did not answer within/);
    await server.thaw();
    await waitFor('the thawed one', isKnown);
    await server.kill();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /ECONNREFUSED|closed/);
    await server.restart();
    await waitFor('the one that is back', isKnown);
    await redis.flushall();
    assert.equal(await isKnown(), false);
  });

  test('a refused password is said, and not shown', async () => {
    const guarded = await startTestRedis({ args: ['--requirepass', 'right'] });
    try {
      const url = guarded.url.replace('redis://', 'redis://:wrong@');
      const { unknownQueues } = await observeQueues(
        connections,
        url,
        { queues: [queueSpec('any')], lookaheadSeconds: 0 },
        Date.now(),
      );
      assert.match(unknownQueues[0]?.reason ?? '', /WRONGPASS|NOAUTH/);
      assert.doesNotMatch(unknownQueues[0]?.reason ?? '', /wrong@/);
    } finally {
      await guarded.stop();
    }
  });
});
