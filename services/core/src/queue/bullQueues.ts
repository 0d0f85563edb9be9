import { setTimeout as delay } from 'node:timers/promises';
import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import type { Log } from '../log.ts';
import type { MediaItemJob, PoolName } from '../pipeline.ts';
import { startConsumer, type ConsumerTimings } from './bullConsumer.ts';
import { QueueUnavailableError, type Priority, type Queues } from './queue.ts';

/** The part of BullMQ's `Queue` that is used, which does not depend on the back end. */
export type BullQueue = Pick<Queue<MediaItemJob>, 'addBulk' | 'getJobCountByTypes' | 'waitUntilReady' | 'close'>;

/** The part of BullMQ's `Worker` that is used. */
export type BullWorker = Pick<Worker<MediaItemJob>, 'waitUntilReady' | 'run' | 'pause' | 'resume' | 'close'>;

/** Called with each error that BullMQ has no promise for. */
export type OnBullError = (error: Error) => void;

/** Where BullMQ keeps the jobs: what differs between PostgreSQL and Redis. */
export interface BullBackend {
  openQueue(name: string, options: Omit<QueueOptions, 'connection'>, onError: OnBullError): BullQueue;
  openWorker(
    name: string,
    process: Processor<MediaItemJob, void>,
    options: Omit<WorkerOptions, 'connection'>,
    onError: OnBullError,
  ): BullWorker;
  /** Makes what BullMQ needs in the back end; succeeds at once when all is there. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** Runs the to-do lists on BullMQ. Opening never fails: a back end that is away is waited for by whoever uses it. */
export const openBullQueues = (backend: BullBackend, log: Log, timings: ConsumerTimings): Queues => {
  const opened = new Map<PoolName, Promise<BullQueue>>();
  const open = async (pool: PoolName): Promise<BullQueue> => {
    await backend.prepare();
    // What it has no promise for is a broken idle connection: the next call opens another, or rejects.
    const queue = backend.openQueue(pool, { streams: { events: { maxLen: keptEvents } } }, () => undefined);
    await queue.waitUntilReady();
    return queue;
  };
  const queueOf = async (pool: PoolName): Promise<BullQueue> => {
    const queue = opened.get(pool) ?? open(pool);
    opened.set(pool, queue);
    // BullMQ remembers for ever that its first connection failed: such a queue is thrown away.
    queue.catch(() => opened.delete(pool));
    return queue;
  };
  const depth = async (pool: PoolName): Promise<number> =>
    inTime(async () => (await queueOf(pool)).getJobCountByTypes('waiting', 'prioritized', 'active'));

  return {
    depth,
    enqueue: async (pool, jobs, priority) => {
      if (jobs.length === 0) return;
      await inTime(async () => (await queueOf(pool)).addBulk(jobs.map((data) => describeJob(pool, data, priority))));
    },
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

/** BullMQ writes a history that nobody reads here; this many entries of it are kept. */
const keptEvents = 1_000;

/** Milliseconds after which a back end that does not answer counts as away. */
const answerTimeoutMs = 4_500;

/** BullMQ takes jobs without a priority first, then those with one, the lowest number first. */
const bullPriorities = { upload: undefined, library: 10 } as const satisfies Record<Priority, number | undefined>;

const describeJob = (pool: PoolName, data: MediaItemJob, priority: Priority) => {
  const rank = bullPriorities[priority];
  return {
    name: pool,
    data,
    opts: {
      jobId: `${data.mediaItemId}_${pool}`,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
      ...(rank === undefined ? {} : { priority: rank }),
    },
  };
};

const inTime = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const settled = new AbortController();
  const timeout = delay(answerTimeoutMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no answer within ${answerTimeoutMs} ms`);
  });
  try {
    return await Promise.race([work(), timeout]);
  } catch (error) {
    throw new QueueUnavailableError(error);
  } finally {
    settled.abort();
    timeout.catch(() => undefined);
  }
};
