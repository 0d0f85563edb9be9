import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, type TestContext } from 'node:test';
import type { MediaItemJob } from '@hearth/core/config/pipeline.ts';
import { QueueUnavailableError, type ConsumeOptions, type Consumer, type Queues } from '@hearth/core/queue/queue.ts';

/** A back end of the queue that the suite may break: a server of its own, which goes away with this process. */
export interface QueueTestBackend {
  /** Opens the queues with jobs that are handed out again about three seconds after their consumer died. */
  open(): Queues;
  /** JavaScript of an ES module that declares `queues`, opened in the same way by another process. */
  readonly openSource: string;
  /** Removes all jobs and whatever else the queue keeps, behind its back. */
  empty(): Promise<void>;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the killed server again, where it was. */
  restart(): Promise<void>;
  /** Stops the server's processes without ending them, so that it takes connections and never answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** What each test of the suite works with: one back end for all of them, emptied before each. */
export interface QueueTestBench {
  readonly backend: QueueTestBackend;
  readonly queues: Queues;
  /** Consumes, with a record of what was handed out in that order, at most until the end of the test. */
  consume(
    t: TestContext,
    options?: Partial<ConsumeOptions>,
    queues?: Queues,
  ): { consumer: Consumer; handled: string[] };
}

/** Makes the back end before the first test of the surrounding suite, and closes its queues after the last. */
export const useBench = (makeBackend: () => Promise<QueueTestBackend>): QueueTestBench => {
  let backend: QueueTestBackend;
  let queues: Queues;
  before(async () => {
    backend = await makeBackend();
    queues = backend.open();
  });
  after(() => queues.close());
  beforeEach(() => backend.empty());
  return {
    get backend() {
      return backend;
    },
    get queues() {
      return queues;
    },
    consume: (t, options = {}, from = queues) => {
      const handled: string[] = [];
      const handle = options.handle ?? (async () => undefined);
      const consumer = from.consume({
        pool: 'media',
        concurrency: 1,
        name: 'test',
        ...options,
        handle: async (job) => {
          handled.push(job.mediaItemId);
          await handle(job);
        },
      });
      t.after(() => consumer.close(5_000));
      return { consumer, handled };
    },
  };
};

/** Jobs for as many new items. */
export const makeJobs = (count: number): MediaItemJob[] =>
  Array.from({ length: count }, () => ({ mediaItemId: randomUUID() }));

/** The ids of jobs, in their order. */
export const ids = (jobs: readonly MediaItemJob[]): string[] => jobs.map(({ mediaItemId }) => mediaItemId);

/** A gate: a promise that the test resolves. */
export const makeGate = (): { opened: Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

/** Whether an operation was refused as the interface says; the server's last processes may still accept it just after a kill. */
export const isRefused = async (operation: Promise<unknown>): Promise<boolean> => {
  try {
    await operation;
    return false;
  } catch (error) {
    if (!(error instanceof QueueUnavailableError)) throw error;
    return true;
  }
};
