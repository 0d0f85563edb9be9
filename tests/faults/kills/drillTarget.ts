import type { ActsLog, Query } from '@hearth/testkit/run/actsLog.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';

/** The kinds of process that a drill kills. */
export type Victim = 'api' | 'worker' | 'decoder' | 'database' | 'redis' | 's3';

/** An installation that a drill breaks, and the ways to reach, break, inspect and end it. */
export interface DrillTarget {
  readonly url: string;
  readonly credentials: Credentials;
  readonly victims: readonly Victim[];
  /** Items that all workers together work on at the same time: what one kill cuts off at most. */
  readonly concurrency: number;
  /** Asks the database, past Hearth. @throws where it is away */
  readonly query: Query;
  /** The record of which process wrote what. */
  readonly acts: ActsLog;
  /** How often Hearth's own processes were started. */
  starts(): number;
  /** Rejects when a process ends without having been killed, or does not start. */
  readonly trouble: Promise<never>;
  /** Kills a process of this kind with SIGKILL, preferably a busy one, and restarts it on the same data if nothing else does. False where there is none now. */
  kill(victim: Victim): Promise<boolean>;
  /** Empties the queue without telling any process. @throws where the queue's server is away */
  emptyQueue(): Promise<void>;
  /** Jobs in the queue. */
  countJobs(): Promise<number>;
  /**
   * Kills the object store, lets it start again no sooner than after so long, and then leaves it there for a while without answering.
   * Answers for how many milliseconds it was dead. Undefined where it is a folder, which does not go away.
   */
  readonly takeStoreAway: ((ms: number) => Promise<number>) | undefined;
  /** Everything that the object store holds, by key, and after them the writes that were begun and never finished. */
  listStored(): Promise<string[]>;
  /** Every process that serves metrics. */
  metricsUrls(): readonly string[];
  /** Resolves when all of it runs. */
  running(): Promise<void>;
  /** Asks all processes to end as a service manager does, and resolves when they are gone. @throws unless each ends with 0 */
  stop(): Promise<void>;
  /** Starts it again after `stop`, with a clock for its housekeeping that is two days ahead. */
  startInTwoDays(): Promise<void>;
  /** Temporary files that are still there, by name; after a stop each is a fault. */
  findLeftovers(): Promise<string[]>;
  /** Ends everything that is still there, also what has only been kept for it to run on. */
  end(): Promise<void>;
}

/**
 * Sets `Date.now` of a Node process ahead by two days, so that the orphan sweep, which spares what is younger than a day, sweeps what a drill has
 * left. `new Date()` stays right: requests to S3 are signed with it and refused where it is wrong.
 */
export const twoDaysAhead = {
  NODE_OPTIONS: '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+172800000',
} as const;
