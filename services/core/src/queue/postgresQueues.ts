import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresBackend, runMigrations, withBackend } from 'bullmq';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import type { ConsumerTimings } from './bullConsumer.ts';
import type { BullBackend } from './bullBackend.ts';
import { openBullQueues } from './bullQueues.ts';
import type { Queues } from './queue.ts';

/** How the queue on PostgreSQL is opened. */
export interface PostgresQueuesOptions {
  /** The database itself. A transaction pooler cannot stand before it, because workers use `LISTEN`, which belongs to a session. */
  readonly connectionString: string;
  readonly log: Log;
  /** Connections at most: one for each consumer, and two more at least. */
  readonly maxConnections?: number;
  readonly timings?: ConsumerTimings;
}

/** Opens the queues in the schema `bullmq` of a PostgreSQL database; the schema is made where it is missing. */
export const openPostgresQueues = (options: PostgresQueuesOptions): Queues =>
  openBullQueues(postgresBackend(options), options.log, options.timings ?? defaultTimings);

/** Together well under the minute that `Queues.consume` promises. */
const defaultTimings: ConsumerTimings = { lockMs: 30_000, stalledCheckMs: 15_000 };

/** Milliseconds that closing connections may take. */
const disconnectMs = 2_000;

const { Queue, Worker } = withBackend(createPostgresBackend);

const postgresBackend = ({ connectionString, maxConnections = 8, log }: PostgresQueuesOptions): BullBackend => {
  // In an ES module BullMQ cannot make its pool by itself, and it sets the schema only on a pool that it has made.
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    options: '-c search_path=bullmq',
    application_name: 'hearth queue',
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    keepAlive: true,
  });
  pool.on('error', (error) => log.debug({ reason: error.message }, 'an idle connection of the queue broke'));
  // A client that breaks while it is checked out makes its query fail too, so nothing is hidden here; an `error` event without a listener
  // would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Each queue and each worker listens to the pool.
  pool.setMaxListeners(0);

  let isPrepared = false;
  return {
    prepare: async () => {
      if (isPrepared) return;
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await runMigrations(client);
        isPrepared = true;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
      }
    },
    openQueue: (name, queueOptions, onError) =>
      new Queue<MediaItemJob>(name, { ...queueOptions, connection: pool }).on('error', onError),
    openWorker: (name, process, workerOptions, onError) =>
      new Worker<MediaItemJob, void>(name, process, { ...workerOptions, connection: pool }).on('error', onError),
    // A connection to a server that does not answer never ends. The process that closes the queue is about to exit anyway.
    close: async () => Promise.race([pool.end(), delay(disconnectMs, undefined, { ref: false })]),
  };
};
