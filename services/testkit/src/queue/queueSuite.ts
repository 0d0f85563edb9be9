import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MediaItemJob } from '@hearth/core/config/pipeline.ts';
import { testQueueFairness } from './queueFairness.ts';
import { testQueueFaults } from './queueFaults.ts';
import { ids, makeGate, makeJobs, useBench, type QueueTestBackend } from './queueTestBench.ts';
import { waitUntil } from '../run/waitUntil.ts';

/** Tests the documented behaviour of the interface `Queues`, including failures, on a back end. */
export const testQueue = (
  name: string,
  makeBackend: () => Promise<QueueTestBackend>,
  { skip = false }: { readonly skip?: string | false } = {},
): void => {
  suite(name, { skip }, () => {
    const bench = useBench(makeBackend);

    test('delivers a job with its ids', async (t) => {
      const job: MediaItemJob = { mediaItemId: randomUUID(), requestId: 'request-1' };
      const delivered: MediaItemJob[] = [];
      bench.consume(t, { handle: async (deliveredJob) => void delivered.push(deliveredJob) });
      await bench.queues.enqueue('media', [job], 'upload');
      await waitUntil('the job is delivered', () => delivered.length === 1);
      assert.deepEqual(delivered, [job]);
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
    });

    test('accepts an empty list of jobs', async () => {
      await bench.queues.enqueue('media', [], 'upload');
      assert.equal(await bench.queues.depth('media'), 0);
    });

    test('keeps the jobs of a pool that is declared again, and declares the pool again in an emptied queue', async () => {
      await bench.queues.declare('media');
      await bench.backend.empty();
      await bench.queues.declare('media');
      assert.equal(await bench.queues.depth('media'), 0);
      await bench.queues.enqueue('media', makeJobs(2), 'upload');
      await bench.queues.declare('media');
      assert.equal(await bench.queues.depth('media'), 2);
    });

    test('delivers uploads before library-wide work, oldest first at equal priority', async (t) => {
      const [old1, old2, new1, new2, new3] = makeJobs(5);
      await bench.queues.enqueue('media', [old1!, old2!], 'library');
      await bench.queues.enqueue('media', [new1!, new2!], 'upload');
      await bench.queues.enqueue('media', [new3!], 'upload');
      assert.equal(await bench.queues.depth('media'), 5);
      const { handled } = bench.consume(t);
      await waitUntil('the jobs are delivered', () => handled.length === 5);
      assert.deepEqual(handled, ids([new1!, new2!, new3!, old1!, old2!]));
    });

    test('does not queue a waiting item twice, at any priority', async (t) => {
      const jobs = makeJobs(2);
      await bench.queues.enqueue('media', [jobs[0]!, jobs[0]!], 'upload');
      await bench.queues.enqueue('media', jobs, 'library');
      await bench.queues.enqueue('media', jobs, 'upload');
      assert.equal(await bench.queues.depth('media'), 2);
      const { handled } = bench.consume(t);
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      assert.deepEqual(handled, ids(jobs));
    });

    test('counts an active item, does not queue it again, and accepts it when it is done', async (t) => {
      const jobs = makeJobs(1);
      const gate = makeGate();
      const { handled } = bench.consume(t, { concurrency: 2, handle: () => gate.opened });
      await bench.queues.enqueue('media', jobs, 'upload');
      await waitUntil('the jobs are delivered', () => handled.length === 1);
      await bench.queues.enqueue('media', jobs, 'upload');
      assert.equal(await bench.queues.depth('media'), 1);
      gate.open();
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      assert.equal(handled.length, 1);
      await bench.queues.enqueue('media', jobs, 'library');
      await waitUntil('the jobs are delivered', () => handled.length === 2);
    });

    test('runs up to the configured number of jobs in parallel', async (t) => {
      const jobs = makeJobs(9);
      let running = 0;
      let maxRunning = 0;
      const { handled } = bench.consume(t, {
        concurrency: 3,
        handle: async () => {
          running += 1;
          maxRunning = Math.max(maxRunning, running);
          await delay(50);
          running -= 1;
        },
      });
      await bench.queues.enqueue('media', jobs, 'upload');
      await waitUntil('the jobs are delivered', () => handled.length === 9 && running === 0);
      assert.equal(maxRunning, 3);
    });

    test('shares the jobs between two consumers, and delivers each once', async (t) => {
      const jobs = makeJobs(200);
      const first = bench.consume(t, { concurrency: 2, name: 'first', handle: () => delay(2) });
      const second = bench.consume(t, { concurrency: 2, name: 'second', handle: () => delay(2) });
      await bench.queues.enqueue('media', jobs, 'library');
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      assert.deepEqual([...first.handled, ...second.handled].toSorted(), ids(jobs).toSorted());
      assert.ok(first.handled.length > 0 && second.handled.length > 0);
    });

    test('does not retry a failed job, and continues with the others', async (t) => {
      const jobs = makeJobs(3);
      const { handled } = bench.consume(t, { handle: () => Promise.reject(new Error('this job fails in a test')) });
      await bench.queues.enqueue('media', jobs, 'upload');
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      assert.deepEqual(handled, ids(jobs));
    });

    test('waits for the active job on close, and leaves the others in the queue', async (t) => {
      const jobs = makeJobs(3);
      const gate = makeGate();
      const { consumer, handled } = bench.consume(t, { handle: () => gate.opened });
      await bench.queues.enqueue('media', jobs, 'upload');
      await waitUntil('the jobs are delivered', () => handled.length === 1);
      let isClosed = false;
      const closed = consumer.close(30_000).then(() => (isClosed = true));
      await delay(200);
      assert.equal(isClosed, false);
      gate.open();
      await closed;
      assert.equal(handled.length, 1);
      assert.equal(await bench.queues.depth('media'), 2);
      const other = bench.consume(t);
      await waitUntil('the jobs are delivered', () => other.handled.length === 2);
      assert.deepEqual(other.handled, ids(jobs.slice(1)));
    });

    test('loses no job when an idle or a just started consumer is closed', async (t) => {
      const { consumer: idle } = bench.consume(t);
      await bench.queues.enqueue('media', makeJobs(1), 'upload');
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      await idle.close(5_000);
      const jobs = makeJobs(40);
      const handled: string[] = [];
      for (const job of jobs) {
        const newConsumer = bench.consume(t);
        await bench.queues.enqueue('media', [job], 'upload');
        await newConsumer.consumer.close(5_000);
        handled.push(...newConsumer.handled);
      }
      const last = bench.consume(t);
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      assert.deepEqual([...handled, ...last.handled].toSorted(), ids(jobs).toSorted());
    });

    test('gives up waiting for a slow job on close, and delivers the job again', async (t) => {
      const jobs = makeJobs(1);
      const gate = makeGate();
      const { consumer, handled } = bench.consume(t, { handle: () => gate.opened });
      await bench.queues.enqueue('media', jobs, 'upload');
      await waitUntil('the jobs are delivered', () => handled.length === 1);
      await consumer.close(100);
      const other = bench.consume(t);
      await waitUntil('the jobs are delivered', () => other.handled.length === 1);
      assert.deepEqual(other.handled, ids(jobs));
      gate.open();
    });

    test('delivers no job of a paused pool until it is resumed, and then all in order', async (t) => {
      const [first, second, third, old] = makeJobs(4);
      const gate = makeGate();
      const { handled } = bench.consume(t, { handle: () => gate.opened });
      await bench.queues.enqueue('media', [first!, second!], 'upload');
      await waitUntil('the jobs are delivered', () => handled.length === 1);
      await bench.queues.pause('media');
      await bench.queues.pause('media');
      await bench.queues.enqueue('media', [old!], 'library');
      await bench.queues.enqueue('media', [third!], 'upload');
      gate.open();
      await waitUntil('only the undelivered jobs are left', async () => (await bench.queues.depth('media')) === 3);
      const newQueues = bench.backend.open();
      t.after(() => newQueues.close());
      const other = bench.consume(t, {}, newQueues);
      await delay(500);
      assert.deepEqual([...handled, ...other.handled], ids([first!]));
      assert.equal(await bench.queues.depth('media'), 3);
      await newQueues.resume('media');
      await waitUntil('the jobs are delivered', () => handled.length + other.handled.length === 4);
      await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
      await bench.queues.resume('media');
    });

    testQueueFairness(bench);
    testQueueFaults(bench);
  });
};
