import { UnavailableError } from '../log/errors.ts';
import type { MediaItemJob, PoolName } from '../config/pipeline.ts';

/** The priority of a job. Uploads always precede library-wide work. */
export type Priority = 'upload' | 'library';

/** A job with its owner. Jobs without an owner count as the jobs of one additional owner. */
export interface JobToEnqueue extends MediaItemJob {
  readonly ownerId?: string;
}

export interface EnqueueOptions {
  /** Some of the jobs may be in the queue already. Then they do not affect the priority of the owner's next job. */
  readonly mayBeQueued?: boolean;
}

export interface ConsumeOptions {
  readonly pool: PoolName;
  /** Maximum number of active jobs of this consumer. */
  readonly concurrency: number;
  /** The name of the job's holder in the queue; in a cluster, the name of the pod. */
  readonly name: string;
  /** Not called concurrently for one item by this consumer. A rejection is logged and not retried. */
  readonly handle: (job: MediaItemJob) => Promise<void>;
}

/** A running consumer. */
export interface Consumer {
  /** Takes no further jobs. Resolves when active jobs are done, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * The queues of media items per pool. The source of truth is `component_runs` in the database: losing a queue loses no
 * work and only delays it until the next sweep.
 */
export interface Queues {
  /**
   * Enqueues items in a pool. The item id is part of the job id, so a waiting or active item is not enqueued twice.
   * Owners are served round robin, see [Note: Fair queueing]. Resolves when the jobs are stored. Rejects with
   * `QueueUnavailableError` within a few seconds if the back end is unavailable.
   */
  enqueue(pool: PoolName, jobs: readonly JobToEnqueue[], priority: Priority, options?: EnqueueOptions): Promise<void>;

  /** Returns the number of waiting and active jobs of a pool, paused or not. */
  depth(pool: PoolName): Promise<number>;

  /**
   * Registers the pool's queue again after the back end was emptied: an operator that reads the back end cannot tell an
   * empty queue from a wrong name. Changes nothing else. Rejects as `enqueue` does.
   */
  declare(pool: PoolName): Promise<void>;

  /**
   * Stops all consumers of the pool, in every process, from taking jobs until `resume`. Active jobs finish, and jobs
   * can still be enqueued. The back end stores this, so it lasts while no process is connected, until the back end is
   * emptied. Rejects as `enqueue` does.
   */
  pause(pool: PoolName): Promise<void>;

  /** Resumes the consumers of the pool. Does nothing if it is not paused. */
  resume(pool: PoolName): Promise<void>;

  /**
   * Passes jobs to `handle`: uploads before library-wide work, owners round robin, the oldest job of an owner first.
   * Continues after the back end was unavailable, restarted or emptied. Redelivers a job of a dead consumer within a
   * minute.
   */
  consume(options: ConsumeOptions): Consumer;

  /** Closes all connections. Close the consumers first. */
  close(): Promise<void>;
}

/** The queue's back end is unavailable. Nothing is lost: the next sweep enqueues all due work in the database again. */
export class QueueUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('the queue', cause);
    this.name = 'QueueUnavailableError';
  }
}
