import { setTimeout as delay } from 'node:timers/promises';
import { WaitingError, type Processor } from 'bullmq';
import type { Log } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import type { BullBackend, BullWorker } from './bullBackend.ts';
import type { ConsumeOptions, Consumer } from './queue.ts';

/** How soon a job of a dead consumer is handed out again: after at most the sum of both times. */
export interface ConsumerTimings {
  /** Milliseconds for which a job is locked to its consumer, which renews the lock each half of this time. */
  readonly lockMs: number;
  /** Milliseconds between two looks for jobs whose lock has run out. */
  readonly stalledCheckMs: number;
}

/** What `startConsumer` needs. */
export interface ConsumerParts {
  readonly backend: BullBackend;
  readonly options: ConsumeOptions;
  readonly timings: ConsumerTimings;
  readonly log: Log;
  readonly isReachable: () => Promise<boolean>;
}

/** Takes jobs as soon as the back end answers, and again each time it was away. */
export const startConsumer = ({ backend, options, timings, log, isReachable }: ConsumerParts): Consumer => {
  const { pool, concurrency, name, handle } = options;
  const closing = new AbortController();
  const inHand = new Map<string, Promise<void>>();

  const process: Processor<MediaItemJob, void> = async (job, token) => {
    const { mediaItemId } = job.data;
    // An item's job can come a second time while the first is in hand: when the queue was emptied and the item was enqueued again, or when
    // the back end was away until the job's lock ran out.
    while (inHand.has(mediaItemId)) await inHand.get(mediaItemId);
    if (closing.signal.aborted) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const handling = handle(job.data)
      .catch((error: unknown) => log.error({ err: error, pool, ...job.data }, 'job failed'))
      .finally(() => inHand.delete(mediaItemId));
    inHand.set(mediaItemId, handling);
    await handling;
  };

  /**
   * After most errors of a back end that stops or starts, BullMQ tries again at once, many hundred times a second; after others only every
   * 15 s. So a worker that met an error pauses until the back end answers again.
   */
  let isRecovering = false;
  const recover = async (worker: BullWorker, error: Error): Promise<void> => {
    if (isRecovering || closing.signal.aborted) return;
    isRecovering = true;
    log.warn({ reason: messageOf(error), pool }, 'queue trouble: taking no jobs until it answers');
    await worker.pause(true);
    do await sleep(retryMs, closing.signal);
    while (!closing.signal.aborted && !(await isReachable()));
    isRecovering = false;
    if (closing.signal.aborted) return;
    log.info({ pool }, 'queue answers, taking jobs again');
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
        if (isFirst) log.warn({ reason: messageOf(error), pool }, 'queue is away: jobs are taken when it answers');
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
      while (inHand.size > 0) await Promise.all(inHand.values());
    })();
    await Promise.race([handled, timedOut]);
    await worker.close(inHand.size > 0);
  };

  return {
    close: async (timeoutMs) => {
      closing.abort();
      const closed = new AbortController();
      const patience = sleep(timeoutMs, closed.signal);
      // Closing the connections may take a moment more, but not for ever when the back end does not answer.
      const lastPatience = patience.then(() => sleep(disconnectMs, closed.signal));
      await Promise.race([close(patience), lastPatience]);
      closed.abort();
    },
  };
};

/** Milliseconds between two attempts to reach a back end that is away. */
const retryMs = 1_000;

/** Milliseconds that closing connections may take after the time for the jobs in hand is up. */
const disconnectMs = 2_000;

/** The message of an error and nothing else: BullMQ and ioredis attach their state to errors, and ioredis the password that was refused. */
export const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'unknown';
};

/** Waits for `ms`, or until `signal` is aborted. */
const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal }).catch(() => undefined);
};
