import { setTimeout as delay } from 'node:timers/promises';
import type { JobType } from 'bullmq';
import type { Log } from '../log/log.ts';
import type { PoolName } from '../config/pipeline.ts';
import type { BullBackend, BullQueue } from './bullBackend.ts';
import { getMessage, startConsumer, type ConsumerTimings } from './bullConsumer.ts';
import { openFairPriorities, type FairPriorities } from './fairPriorities.ts';
import { QueueUnavailableError, type JobToEnqueue, type Queues } from './queue.ts';

/** Opens the queues on BullMQ. Never fails: the first call that needs the back end waits for it or rejects. */
export const openBullQueues = (backend: BullBackend, log: Log, timings: ConsumerTimings): Queues => {
  const opened = new Map<PoolName, Promise<BullQueue>>();
  const open = async (pool: PoolName): Promise<BullQueue> => {
    // Ignores errors of broken idle connections: the next call opens another connection or rejects.
    const queue = backend.openQueue(pool, { streams: { events: { maxLen: maxEvents } } }, () => undefined);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      await queue.close().catch(() => undefined);
      throw error;
    }
    return queue;
  };
  const getQueue = async (pool: PoolName): Promise<BullQueue> => {
    const queue = opened.get(pool) ?? open(pool);
    opened.set(pool, queue);
    // BullMQ keeps failing after a failed first connection, so the queue is dropped, and the next call opens it again.
    queue.catch(() => opened.delete(pool));
    return queue;
  };
  const callQueue = async <Result>(pool: PoolName, call: (queue: BullQueue) => Promise<Result>): Promise<Result> =>
    withTimeout(async () => {
      await backend.prepare();
      return call(await getQueue(pool));
    });
  const fairPriorities = new Map<PoolName, FairPriorities>();
  const getFairPriorities = (pool: PoolName): FairPriorities => {
    const priorities = fairPriorities.get(pool) ?? openFairPriorities();
    fairPriorities.set(pool, priorities);
    return priorities;
  };
  const depth = async (pool: PoolName): Promise<number> =>
    callQueue(pool, (queue) => queue.getJobCountByTypes(...unfinished));

  return {
    depth,
    enqueue: async (pool, jobs, priority, options) => {
      if (jobs.length === 0) return;
      await callQueue<unknown>(pool, async (queue) => {
        const [head] = await queue.getJobs(['prioritized'], 0, 0, true);
        const priorities = getFairPriorities(pool).assignPriorities(jobs, head?.opts.priority, {
          priority,
          ...options,
        });
        const described = jobs.map((job, index) => describeJob(pool, job, priorities[index]!));
        const [first, ...more] = described;
        // On PostgreSQL, `addBulk` creates two temporary tables, which cost ten times as much as a single job.
        return first !== undefined && more.length === 0
          ? queue.add(first.name, first.data, first.opts)
          : queue.addBulk(described);
      });
    },
    declare: (pool) =>
      callQueue(pool, async (queue) => {
        if ((await queue.getVersion()) !== null) return;
        // BullMQ writes the version only when it opens a queue.
        const reopened = await open(pool);
        await reopened.getVersion();
        await reopened.close();
      }),
    pause: (pool) => callQueue(pool, (queue) => queue.pause()),
    resume: (pool) => callQueue(pool, (queue) => queue.resume()),
    consume: (options) =>
      startConsumer({
        backend,
        options,
        timings,
        log,
        isReachable: () =>
          depth(options.pool).then(
            () => true,
            () => false,
          ),
      }),
    close: async () => {
      for (const queue of opened.values())
        await queue.then(
          (open) => open.close(),
          () => undefined,
        );
      await backend.close();
    },
  };
};

/**
 * BullMQ's states of unfinished jobs. On PostgreSQL, jobs of a paused queue have the state `paused`, which is missing
 * in BullMQ's types.
 */
const unfinished = ['waiting', 'paused' as JobType, 'prioritized', 'active'] as const;

/** Maximum entries in BullMQ's event history, which Hearth does not read. */
const maxEvents = 1_000;

/** Timeout of calls to the back end, in ms. */
const responseTimeoutMs = 4_500;

const describeJob = (pool: PoolName, { mediaItemId, requestId }: JobToEnqueue, priority: number) => ({
  name: pool,
  data: { mediaItemId, ...(requestId !== undefined && { requestId }) },
  opts: { jobId: `${mediaItemId}_${pool}`, attempts: 1, removeOnComplete: true, removeOnFail: true, priority },
});

const withTimeout = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const settled = new AbortController();
  const timeout = delay(responseTimeoutMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no response within ${responseTimeoutMs} ms`);
  });
  try {
    return await Promise.race([work(), timeout]);
  } catch (error) {
    throw new QueueUnavailableError(new Error(getMessage(error)));
  } finally {
    settled.abort();
    timeout.catch(() => undefined);
  }
};
