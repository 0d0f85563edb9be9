import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Redis } from 'ioredis';
import { observeTestQueues } from '../testing/observeTestQueues.ts';
import { makeQueue } from '../testing/specs.ts';
import { waitFor } from '../testing/waitFor.ts';

suite('observation of BullMQ', { skip: missingTool('redis-server') }, () => {
  const bench = observeTestQueues();
  const { connections, observe, observeBy, observeOne, openQueue, startWorker } = bench;
  let redis: Redis;
  before(() => ({ redis } = bench));

  test('a queue that was never opened is unknown, not empty', async () => {
    const { queues, unknownQueues } = await observe('never');
    assert.deepEqual(queues, []);
    assert.match(unknownQueues[0]?.reason ?? '', /queue bull:never does not exist/);
  });

  test('an open queue is empty', async () => {
    await openQueue('empty');
    assert.deepEqual({ ...(await observeOne('empty')), version: undefined }, makeQueue({ name: 'empty' }));
  });

  test('counts waiting, prioritized and delayed jobs, and due ones among the delayed', async () => {
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

  test('a prioritized job is next if no job without a priority is waiting', async () => {
    const queue = await openQueue('prioritized');
    await queue.add('job', {}, { priority: 9, timestamp: Date.now() - 50_000 });
    const age = (await observeOne('prioritized'))?.oldestWaitSeconds ?? 0;
    assert.ok(age >= 50 && age < 80);
  });

  test('counts the jobs of a paused queue with the layouts of BullMQ 5 and 6', async () => {
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

  test('an active job has its worker and start time, even after the worker was killed', async () => {
    const queue = await openQueue('active');
    const begin = Date.now();
    const worker = await startWorker(queue, 'worker-abc-1');
    await queue.add('job', {});
    await waitFor('active jobs', async () => (await observeOne('active'))?.active === 1);
    const { activeJobs } = await observe('active');
    assert.deepEqual(
      activeJobs.map(({ processedBy }) => processedBy),
      ['worker-abc-1'],
    );
    assert.ok((activeJobs[0]?.processedOn ?? 0) >= begin);
    await worker.close(true);
    assert.equal((await observeOne('active'))?.active, 1);
  });

  test('active jobs of several queues have their workers, or none if unknown', async () => {
    const [first, second] = [await openQueue('first'), await openQueue('second')];
    await startWorker(first, 'pod-1');
    await startWorker(second, 'pod-2');
    await Promise.all([first.add('job', {}), second.add('job', {})]);
    await waitFor('active jobs', async () =>
      (await observe('first', 'second')).queues.every(({ active }) => active === 1),
    );
    // Adds a job like that of a worker without a name.
    await redis.hset('bull:second:nameless', 'timestamp', Date.now());
    await redis.lpush('bull:second:active', 'nameless');
    const { queues, activeJobs } = await observe('first', 'empty', 'second');
    assert.deepEqual(
      activeJobs.map(({ processedBy }) => processedBy),
      ['pod-1', undefined, 'pod-2'],
    );
    assert.deepEqual(
      queues.map(({ active }) => active),
      [1, 0, 2],
    );
  });

  test('does not count a job that ends between the two pipelines', async () => {
    const queue = await openQueue('ending');
    const gate = Promise.withResolvers<void>();
    const worker = await startWorker(queue, 'pod-3', () => gate.promise);
    await queue.add('job', {}, { removeOnComplete: true });
    await waitFor('the active job', async () => (await observeOne('ending'))?.active === 1);
    let pipelines = 0;
    const { queues, activeJobs } = await observeBy(
      {
        ...connections,
        runPipeline: async (...args) => {
          const replies = await connections.runPipeline(...args);
          if ((pipelines += 1) > 1) return replies;
          const completed = once(worker, 'completed');
          gate.resolve();
          await completed;
          return replies;
        },
      },
      'ending',
    );
    assert.equal(pipelines, 2);
    assert.deepEqual([queues[0]?.active, activeJobs], [0, []]);
  });

  test('reports the version of BullMQ, and a queue of an unsupported version is unknown', async () => {
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
        `queue bull:versions was opened by ${version}; only BullMQ 5 and 6 are supported`,
      );
    }
    // Removes the version, as if the producer were configured not to write it.
    await redis.hdel('bull:versions:meta', 'version');
    assert.equal((await observeOne('versions'))?.version, undefined);
  });

  test('a key of the wrong type makes only its own queue unknown', async () => {
    await openQueue('broken');
    await redis.set('bull:broken:wait', 'not a list');
    const { queues, unknownQueues } = await observe('empty', 'broken');
    assert.deepEqual(
      queues.map(({ name }) => name),
      ['empty'],
    );
    assert.match(unknownQueues[0]?.reason ?? '', /WRONGTYPE/);
  });

  test('tolerates invalid numbers and too many active jobs', async () => {
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
      (await observe('nonsense')).activeJobs.map(({ processedBy, processedOn }) => [processedBy, processedOn]),
      [[undefined, undefined], ...[0, 1, 2].map(() => ['pod-1', undefined])],
    );
    for (let times = 0; times < 10; times++)
      await redis.rpush('bull:nonsense:active', ...Array.from({ length: 1_000 }, (_, index) => `y${index}`));
    const { queues, activeJobs } = await observe('nonsense');
    // Of the 2,000 inspected ids 1,996 belong to no job.
    assert.equal(queues[0]?.active, 8_008);
    assert.equal(activeJobs.length, 4_000);
  });
});
