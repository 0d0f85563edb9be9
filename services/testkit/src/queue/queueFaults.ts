import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { QueueUnavailableError } from '@hearth/core/queue/queue.ts';
import { ids, isRefused, makeGate, makeJobs, type QueueTestBench } from './queueTestBench.ts';
import { waitUntil } from '../run/waitUntil.ts';

/** Part of `testQueue` for killed processes and lost queues. */
export const testQueueFaults = (bench: QueueTestBench): void => {
  test('delivers a job again after its consumer was killed', async (t) => {
    const jobs = makeJobs(1);
    const source = `${bench.backend.openSource}
      queues.consume({ pool: 'media', concurrency: 1, name: 'killed', handle: (job) => {
        console.log(job.mediaItemId);
        return new Promise((resolve) => setTimeout(resolve, 600_000));
      } });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    await bench.queues.enqueue('media', jobs, 'upload');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(line.toString().trim(), jobs[0]!.mediaItemId);
    const { handled } = bench.consume(t);
    // Longer than the lock of a job lasts. A running consumer extends the lock.
    await delay(3_500);
    assert.deepEqual(handled, []);
    child.kill('SIGKILL');
    await waitUntil('the jobs are delivered', () => handled.length === 1);
    assert.deepEqual(handled, ids(jobs));
  });

  test('continues after the queue was emptied, and never runs an active job twice at the same time', async (t) => {
    const jobs = makeJobs(2);
    const gate = makeGate();
    let running = 0;
    let maxRunning = 0;
    const { handled } = bench.consume(t, {
      concurrency: 3,
      handle: async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await gate.opened;
        running -= 1;
      },
    });
    await bench.queues.enqueue('media', [jobs[0]!], 'upload');
    await waitUntil('the jobs are delivered', () => handled.length === 1);
    await bench.backend.empty();
    assert.equal(await bench.queues.depth('media'), 0);
    await bench.queues.enqueue('media', [jobs[0]!], 'upload');
    await delay(1_500);
    assert.equal(maxRunning, 1);
    gate.open();
    await waitUntil('the jobs are delivered', () => handled.length === 2);
    await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
    await bench.queues.enqueue('media', [jobs[1]!], 'library');
    await waitUntil('the jobs are delivered', () => handled.length === 3);
    assert.deepEqual(handled, ids([jobs[0]!, jobs[0]!, jobs[1]!]));
  });

  test('resumes consumers after the back end was killed and restarted', async (t) => {
    const jobs = makeJobs(6);
    const { handled } = bench.consume(t, { concurrency: 2, handle: () => delay(300) });
    await bench.queues.enqueue('media', jobs.slice(0, 4), 'upload');
    await waitUntil('the jobs are delivered', () => handled.length === 2);
    await bench.backend.kill();
    await waitUntil('the queue rejects jobs', () => isRefused(bench.queues.enqueue('media', [jobs[4]!], 'upload')));
    await waitUntil('the queue is unavailable', () => isRefused(bench.queues.depth('media')));
    await bench.backend.restart();
    await waitUntil('the queue accepts jobs again', () =>
      bench.queues.enqueue('media', [jobs[4]!], 'upload').then(
        () => true,
        () => false,
      ),
    );
    await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
    await bench.queues.enqueue('media', [jobs[5]!], 'upload');
    await waitUntil('no job is left', async () => (await bench.queues.depth('media')) === 0);
    assert.deepEqual([...new Set(handled)].toSorted(), ids(jobs).toSorted());
  });

  test('resumes an idle consumer after the back end was killed several times', async (t) => {
    const { handled } = bench.consume(t);
    for (let kills = 1; kills <= 3; kills += 1) {
      await bench.backend.kill();
      await bench.backend.restart();
      await waitUntil('the queue accepts jobs again', () =>
        bench.queues.enqueue('media', makeJobs(1), 'upload').then(
          () => true,
          () => false,
        ),
      );
      await waitUntil('the jobs are delivered', () => handled.length >= kills);
    }
  });

  test('connects consumers that were opened while the back end was unavailable', async (t) => {
    const jobs = makeJobs(1);
    await bench.backend.kill();
    const newQueues = bench.backend.open();
    const { handled } = bench.consume(t, {}, newQueues);
    t.after(() => newQueues.close());
    await waitUntil('the queue rejects jobs', () => isRefused(newQueues.enqueue('media', jobs, 'upload')));
    await bench.backend.restart();
    await waitUntil('the queue accepts jobs again', () =>
      newQueues.enqueue('media', jobs, 'upload').then(
        () => true,
        () => false,
      ),
    );
    await waitUntil('the jobs are delivered', () => handled.length === 1);
  });

  test('closes while the back end is unavailable', async (t) => {
    const newQueues = bench.backend.open();
    const { consumer } = bench.consume(t, {}, newQueues);
    await newQueues.enqueue('media', makeJobs(1), 'upload');
    await waitUntil('no job is left', async () => (await newQueues.depth('media')) === 0);
    await bench.backend.kill();
    t.after(() => bench.backend.restart());
    await consumer.close(1_000);
    await newQueues.close();
  });

  test('reports a back end that does not respond as unavailable, and uses it again when it responds', async (t) => {
    const jobs = makeJobs(2);
    const { handled } = bench.consume(t);
    await bench.queues.enqueue('media', [jobs[0]!], 'upload');
    await waitUntil('the jobs are delivered', () => handled.length === 1);
    await bench.backend.freeze();
    try {
      await assert.rejects(bench.queues.enqueue('media', [jobs[1]!], 'upload'), QueueUnavailableError);
    } finally {
      await bench.backend.thaw();
    }
    await bench.queues.enqueue('media', [jobs[1]!], 'upload');
    await waitUntil('the jobs are delivered', () => handled.includes(jobs[1]!.mediaItemId));
  });
};
