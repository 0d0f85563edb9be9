import type { ActsLog, Query } from '@hearth/testkit/run/actsLog.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';

/** Kinds of processes that a drill kills. */
export type Victim = 'api' | 'worker' | 'decoder' | 'database' | 'redis' | 's3';

/** An installation under test, with ways to access, disturb, inspect and stop it. */
export interface DrillTarget {
  readonly url: string;
  readonly credentials: Credentials;
  readonly victims: readonly Victim[];
  /** Items processed at once by all workers: the maximum that one kill interrupts. */
  readonly concurrency: number;
  /** Queries the database directly. @throws if it is unavailable */
  readonly query: Query;
  /** Record of the writes of each process. */
  readonly acts: ActsLog;
  /** Returns the number of starts of Hearth's own processes. */
  starts(): number;
  /** Rejects when a process exits without being killed, or does not start. */
  readonly error: Promise<never>;
  /**
   * Kills a process of this kind with SIGKILL, preferably a busy one. Restarts it on the same data unless Hearth does
   * so itself. Returns false if none is running.
   */
  kill(victim: Victim): Promise<boolean>;
  /** Empties the queue from outside. @throws if the queue's server is unavailable */
  emptyQueue(): Promise<void>;
  /** Returns the number of jobs in the queue. */
  countJobs(): Promise<number>;
  /**
   * Kills the object store, keeps it down for at least `ms`, and then lets it run without responding for a while.
   * Returns how long it was down, in ms. Undefined if the store is a folder.
   */
  readonly stopStore: ((ms: number) => Promise<number>) | undefined;
  /** Lists the keys of the object store, followed by unfinished writes. */
  listStored(): Promise<string[]>;
  /** Returns the metrics URLs of all processes. */
  metricsUrls(): readonly string[];
  /** Resolves when everything is running. */
  running(): Promise<void>;
  /** Stops all processes like a service manager. Resolves when they have exited. @throws unless each exits with 0 */
  stop(): Promise<void>;
  /** Restarts after `stop`, with the housekeeper's clock two days ahead. */
  restartInTwoDays(): Promise<void>;
  /** Returns the names of leftover temporary files. After a stop each one is a fault. */
  findLeftovers(): Promise<string[]>;
  /** Stops everything that is still running, including the back ends. */
  end(): Promise<void>;
}

/**
 * Sets `Date.now` of a Node process two days ahead, because the orphan sweep spares objects younger than a day. `new
 * Date()` stays correct: S3 rejects requests signed with a wrong time.
 */
export const twoDaysAhead = {
  NODE_OPTIONS: '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+172800000',
} as const;
