import { UnavailableError } from '../errors.ts';
import type { MediaItemJob, PoolName } from '../pipeline.ts';

/** Where a job stands in line: uploads always go before library-wide work. */
export type Priority = 'upload' | 'library';

/** A job and whose it is; jobs without an owner are those of one more owner. */
export interface JobToEnqueue extends MediaItemJob {
  readonly ownerId?: string;
}

/** How jobs come into line. */
export interface EnqueueOptions {
  /** Whether some of them may stand there already, so that they do not count for the place of their owner's next one. */
  readonly isAnew?: boolean;
}

/** How a consumer is run. */
export interface ConsumeOptions {
  readonly pool: PoolName;
  /** Jobs handled at the same time by this consumer. */
  readonly concurrency: number;
  /** Appears in the queue as the holder of a job: the pod's name on a cluster. */
  readonly name: string;
  /** Never called twice at the same time for the same item by this consumer. A rejection is logged, never retried. */
  readonly handle: (job: MediaItemJob) => Promise<void>;
}

/** A running consumer. */
export interface Consumer {
  /** Takes no further jobs and resolves when those in hand are done, or after `timeoutMs`, whichever is first. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * The to-do list: which media items a pool has to look at. Never the truth — that is `component_runs` in the database — so
 * losing all of it loses no work, only time until the next sweep.
 *
 * This interface is the specification: `queueSuite.ts` tests each sentence of it on every back end.
 */
export interface Queues {
  /**
   * Puts items on a pool's list. One that is already waiting or being worked on is not put there twice (its id is the
   * job's id). Owners take turns, see [Note: Fair places]. Resolves when the jobs are stored; rejects within a few seconds with `QueueUnavailableError` when the back end is away.
   */
  enqueue(pool: PoolName, jobs: readonly JobToEnqueue[], priority: Priority, options?: EnqueueOptions): Promise<void>;

  /** How many jobs of a pool wait, in a paused one too, or are being worked on. */
  depth(pool: PoolName): Promise<number>;

  /**
   * Writes down that the pool has a list, where the back end has forgotten it: an operator that reads the back end itself cannot tell one that was
   * emptied from a wrong one. Changes nothing else. Rejects as `enqueue` does.
   */
  declare(pool: PoolName): Promise<void>;

  /**
   * Lets no consumer of the pool, in whichever process, take a job until `resume`. Jobs in hand are finished, and jobs are enqueued as
   * ever. The back end remembers it, also when nobody is connected, until it is emptied. Rejects as `enqueue` does.
   */
  pause(pool: PoolName): Promise<void>;

  /** Lets the consumers of the pool take jobs again; harmless where it was not paused. */
  resume(pool: PoolName): Promise<void>;

  /**
   * Hands jobs to `handle`, uploads before library-wide work, one of each owner in turn, an owner's oldest first. Goes on by itself after the back
   * end was away, restarted or emptied. A job whose consumer died is handed out again within a minute.
   */
  consume(options: ConsumeOptions): Consumer;

  /** Ends all connections; consumers must have been closed. */
  close(): Promise<void>;
}

/** The queue's back end is away: nothing is lost, since the next sweep enqueues again what the database says is undone. */
export class QueueUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('the queue', cause);
    this.name = 'QueueUnavailableError';
  }
}
