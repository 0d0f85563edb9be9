import { setTimeout as delay } from 'node:timers/promises';
import { WaitingError, type Processor } from 'bullmq';
import type { Log } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import type { BullBackend, BullWorker } from './bullBackend.ts';
import type { ConsumeOptions, Consumer } from './queue.ts';

/** A job of a dead consumer is redelivered after at most the sum of both times. */
export interface ConsumerTimings {
  /** Lock duration of a job, in ms. Consumers renew locks after half of it. */
  readonly lockMs: number;
  /** Interval of checks for expired locks, in ms. */
  readonly stalledCheckMs: number;
}

export interface ConsumerParts {
  readonly backend: BullBackend;
  readonly options: ConsumeOptions;
  readonly timings: ConsumerTimings;
  readonly log: Log;
  readonly isReachable: () => Promise<boolean>;
}

/** Consumes jobs as soon as the back end responds, and again after each outage. */
export const startConsumer = ({ backend, options, timings, log, isReachable }: ConsumerParts): Consumer => {
  const { pool, concurrency, name, handle } = options;
  const closing = new AbortController();
  const activeJobs = new Map<string, Promise<void>>();

  const process: Processor<MediaItemJob, void> = async (job, token) => {
    const { mediaItemId } = job.data;
    // An item's job can be delivered again while the first one is active: if the queue was emptied and the item
    // enqueued again, or if an outage outlasted the job's lock.
    while (activeJobs.has(mediaItemId)) await activeJobs.get(mediaItemId);
    if (closing.signal.aborted) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const handling = handle(job.data)
      .catch((error: unknown) => log.error({ err: error, pool, ...job.data }, 'job failed'))
      .finally(() => activeJobs.delete(mediaItemId));
    activeJobs.set(mediaItemId, handling);
    await handling;
  };

  let isRecovering = false;
  /**
   * Pauses the worker after an error until the back end responds. While a back end stops or starts, BullMQ would retry
   * hundreds of times per second after most errors, and only every 15 s after others.
   */
  const recover = async (worker: BullWorker, error: Error): Promise<void> => {
    if (isRecovering || closing.signal.aborted) return;
    isRecovering = true;
    log.warn({ reason: getMessage(error), pool }, 'queue unavailable; waiting until it responds');
    await worker.pause(true);
    do await sleep(retryMs, closing.signal);
    while (!closing.signal.aborted && !(await isReachable()));
    isRecovering = false;
    if (closing.signal.aborted) return;
    log.info({ pool }, 'queue available again');
    await worker.resume();
  };

  const open = async (): Promise<BullWorker> => {
    await backend.prepare();
    const worker = backend.openWorker(
      pool,
      process,
      {
        autorun: false,
        concurrency,
        name,
        lockDuration: timings.lockMs,
        stalledInterval: timings.stalledCheckMs,
        maxStalledCount: 3,
        runRetryDelay: retryMs,
      },
      (error) => void recover(worker, error),
    );
    try {
      await worker.waitUntilReady();
    } catch (error) {
      await worker.close(true);
      throw error;
    }
    return worker;
  };

  const openUntilClosed = async (): Promise<BullWorker | undefined> => {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      try {
        const worker = await open();
        if (!closing.signal.aborted) worker.run().catch((error: Error) => void recover(worker, error));
        return worker;
      } catch (error) {
        if (isFirst) log.warn({ reason: getMessage(error), pool }, 'queue unavailable; taking jobs once it responds');
        await sleep(retryMs, closing.signal);
      }
    }
    return undefined;
  };
  const opening = openUntilClosed();

  const close = async (timedOut: Promise<unknown>): Promise<void> => {
    const worker = await opening;
    if (worker === undefined) return;
    await worker.pause(true);
    const handled = (async () => {
      while (activeJobs.size > 0) await Promise.all(activeJobs.values());
    })();
    await Promise.race([handled, timedOut]);
    await worker.close(activeJobs.size > 0);
  };

  return {
    close: async (timeoutMs) => {
      closing.abort();
      const closed = new AbortController();
      const remainingMs = sleep(timeoutMs, closed.signal);
      // Closing connections may take a moment longer, but must not hang if the back end does not respond.
      const disconnectTimeout = remainingMs.then(() => sleep(disconnectMs, closed.signal));
      await Promise.race([close(remainingMs), disconnectTimeout]);
      closed.abort();
    },
  };
};

/** Interval of attempts to reach an unavailable back end, in ms. */
const retryMs = 1_000;

/** Extra time to close connections after the timeout for active jobs, in ms. */
const disconnectMs = 2_000;

/** Returns only the message: BullMQ and ioredis attach their state to errors, and ioredis the rejected password. */
export const getMessage = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'unknown';
};

/** Waits for `ms`, or until `signal` is aborted. */
const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => undefined);
};
