import { setTimeout as delay } from 'node:timers/promises';
import type { JobType } from 'bullmq';
import type { Log } from '../log.ts';
import type { PoolName } from '../pipeline.ts';
import type { BullBackend, BullQueue } from './bullBackend.ts';
import { messageOf, startConsumer, type ConsumerTimings } from './bullConsumer.ts';
import { openFairPlaces, type FairPlaces } from './fairPlaces.ts';
import { QueueUnavailableError, type JobToEnqueue, type Queues } from './queue.ts';

/** Runs the to-do lists on BullMQ. Opening never fails: a back end that is away is waited for by whoever uses it. */
export const openBullQueues = (backend: BullBackend, log: Log, timings: ConsumerTimings): Queues => {
  const opened = new Map<PoolName, Promise<BullQueue>>();
  const open = async (pool: PoolName): Promise<BullQueue> => {
    // What it has no promise for is a broken idle connection: the next call opens another, or rejects.
    const queue = backend.openQueue(pool, { streams: { events: { maxLen: keptEvents } } }, () => undefined);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      await queue.close().catch(() => undefined);
      throw error;
    }
    return queue;
  };
  const queueOf = async (pool: PoolName): Promise<BullQueue> => {
    const queue = opened.get(pool) ?? open(pool);
    opened.set(pool, queue);
    // BullMQ remembers for ever that its first connection failed: such a queue is thrown away.
    queue.catch(() => opened.delete(pool));
    return queue;
  };
  const ask = async <Result>(pool: PoolName, question: (queue: BullQueue) => Promise<Result>): Promise<Result> =>
    inTime(async () => {
      await backend.prepare();
      return question(await queueOf(pool));
    });
  const places = new Map<PoolName, FairPlaces>();
  const placesIn = (pool: PoolName): FairPlaces => {
    const those = places.get(pool) ?? openFairPlaces();
    places.set(pool, those);
    return those;
  };
  const depth = async (pool: PoolName): Promise<number> =>
    ask(pool, (queue) => queue.getJobCountByTypes(...unfinished));

  return {
    depth,
    enqueue: async (pool, jobs, priority, options) => {
      if (jobs.length === 0) return;
      await ask<unknown>(pool, async (queue) => {
        const [head] = await queue.getJobs(['prioritized'], 0, 0, true);
        const places = placesIn(pool).placesOf(jobs, head?.opts.priority, { priority, ...options });
        const described = jobs.map((job, index) => describeJob(pool, job, places[index]!));
        const [first, ...more] = described;
        // On PostgreSQL many jobs at once go by way of two temporary tables, which for a single job cost ten times the job itself.
        return first !== undefined && more.length === 0
          ? queue.add(first.name, first.data, first.opts)
          : queue.addBulk(described);
      });
    },
    declare: (pool) =>
      ask(pool, async (queue) => {
        if ((await queue.getVersion()) !== null) return;
        // BullMQ writes it when a queue is opened, and at no other time.
        const anew = await open(pool);
        await anew.getVersion();
        await anew.close();
      }),
    pause: (pool) => ask(pool, (queue) => queue.pause()),
    resume: (pool) => ask(pool, (queue) => queue.resume()),
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

/** BullMQ's states of a job that is not done. On PostgreSQL those that wait in a paused queue are in one that its types do not know. */
const unfinished = ['waiting', 'paused' as JobType, 'prioritized', 'active'] as const;

/** BullMQ writes a history that nobody reads here; this many entries of it are kept. */
const keptEvents = 1_000;

/** Milliseconds after which a back end that does not answer counts as away. */
const answerTimeoutMs = 4_500;

const describeJob = (pool: PoolName, { mediaItemId, requestId }: JobToEnqueue, priority: number) => ({
  name: pool,
  data: { mediaItemId, ...(requestId !== undefined && { requestId }) },
  opts: { jobId: `${mediaItemId}_${pool}`, attempts: 1, removeOnComplete: true, removeOnFail: true, priority },
});

const inTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const settled = new AbortController();
  const timeout = delay(answerTimeoutMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no answer within ${answerTimeoutMs} ms`);
  });
  try {
    return await Promise.race([work(), timeout]);
  } catch (error) {
    throw new QueueUnavailableError(new Error(messageOf(error)));
  } finally {
    settled.abort();
    timeout.catch(() => undefined);
  }
};
