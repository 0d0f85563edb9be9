import { UnavailableError } from '../log/errors.ts';
import type { MediaItemJob, PoolName } from '../config/pipeline.ts';

/** The priority of a job: uploads always go before library-wide work. */
export type Priority = 'upload' | 'library';

/** A job and its owner. Jobs without an owner count as those of one more owner. */
export interface JobToEnqueue extends MediaItemJob {
  readonly ownerId?: string;
}

/** How jobs are enqueued. */
export interface EnqueueOptions {
  /** Whether some of the jobs may be in the queue already. Then they do not count when the owner's next job gets its priority. */
  readonly isAnew?: boolean;
}

/** How a consumer is run. */
export interface ConsumeOptions {
  readonly pool: PoolName;
  /** Jobs handled at the same time by this consumer. */
  readonly concurrency: number;
  /** The name under which the queue shows who holds a job: on a cluster, the name of the pod. */
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
 * The queues: which media items each pool has to look at. They are never the truth, which is `component_runs` in the database; when a queue
 * is lost, no work is lost but only the time until the next sweep.
 */
export interface Queues {
  /**
   * Enqueues items in a pool. The job's id is made of the item's id, so an item that is waiting or in hand is not enqueued twice. Owners
   * take turns, see [Note: Fair queueing]. Resolves when the jobs are stored; rejects within a few seconds with `QueueUnavailableError`
   * when the back end is away.
   */
  enqueue(pool: PoolName, jobs: readonly JobToEnqueue[], priority: Priority, options?: EnqueueOptions): Promise<void>;

  /** How many jobs of a pool wait (a paused pool's too) or are in hand. */
  depth(pool: PoolName): Promise<number>;

  /**
   * Makes the back end know the pool's queue again after the back end was emptied: an operator that reads the back end cannot tell an empty
   * queue from a wrong name. Changes nothing else. Rejects as `enqueue` does.
   */
  declare(pool: PoolName): Promise<void>;

  /**
   * Stops all consumers of the pool, in every process, from taking jobs until `resume`. Jobs in hand are finished, and jobs can still be
   * enqueued. The back end stores this: it holds when no process is connected, and until the back end is emptied. Rejects as `enqueue`
   * does.
   */
  pause(pool: PoolName): Promise<void>;

  /** Lets the consumers of the pool take jobs again; harmless where it was not paused. */
  resume(pool: PoolName): Promise<void>;

  /**
   * Hands jobs to `handle`: uploads before library-wide work, one job of each owner in turn, an owner's oldest first. Continues by itself
   * after the back end was away, restarted or emptied. A job of a consumer that died is handed out again within a minute.
   */
  consume(options: ConsumeOptions): Consumer;

  /** Ends all connections; consumers must have been closed. */
  close(): Promise<void>;
}

/** The queue's back end is away. Nothing is lost: the next sweep enqueues again all work that the database lists as due. */
export class QueueUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('the queue', cause);
    this.name = 'QueueUnavailableError';
  }
}
