import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, type TestContext } from 'node:test';
import type { MediaItemJob } from '@hearth/core/config/pipeline.ts';
import { QueueUnavailableError, type ConsumeOptions, type Consumer, type Queues } from '@hearth/core/queue/queue.ts';

/** A queue back end that tests may break: a separate server that ends with this process. */
export interface QueueTestBackend {
  /** Opens the queues. Jobs are delivered again about three seconds after their consumer has died. */
  open(): Queues;
  /** JavaScript of an ES module that opens `queues` with the same settings in another process. */
  readonly openSource: string;
  /** Deletes all jobs and other data of the queue directly in the server. */
  empty(): Promise<void>;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the killed server again, at the same address. */
  restart(): Promise<void>;
  /** Stops the server's processes with SIGSTOP, so that it accepts connections but never responds. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** Fixture of all tests of the suite: one back end, emptied before each test. */
export interface QueueTestBench {
  readonly backend: QueueTestBackend;
  readonly queues: Queues;
  /** Starts a consumer, until the end of the test, and records the delivered jobs in order. */
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

/** Makes jobs for new items. */
export const makeJobs = (count: number): MediaItemJob[] =>
  Array.from({ length: count }, () => ({ mediaItemId: randomUUID() }));

/** Returns the ids of jobs, in order. */
export const ids = (jobs: readonly MediaItemJob[]): string[] => jobs.map(({ mediaItemId }) => mediaItemId);

/** Makes a promise that the test resolves. */
export const makeGate = (): { opened: Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

/**
 * Returns true if an operation is rejected with QueueUnavailableError. Just after a kill, the server's last processes may
 * still accept it.
 */
export const isRefused = async (operation: Promise<unknown>): Promise<boolean> => {
  try {
    await operation;
    return false;
  } catch (error) {
    if (!(error instanceof QueueUnavailableError)) throw error;
    return true;
  }
};
