import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresBackend, runMigrations, withBackend } from 'bullmq';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import type { MediaItemJob } from '../config/pipeline.ts';
import type { ConsumerTimings } from './bullConsumer.ts';
import type { BullBackend } from './bullBackend.ts';
import { openBullQueues } from './bullQueues.ts';
import type { Queues } from './queue.ts';

export interface PostgresQueuesOptions {
  /**
   * A direct connection: a transaction pooler does not support `LISTEN`, which workers use and which belongs to a
   * session.
   */
  readonly connectionString: string;
  readonly log: Log;
  /** Maximum number of connections: one per consumer and at least two more. */
  readonly maxConnections?: number;
  readonly timings?: ConsumerTimings;
}

/** Opens the queues in the schema `bullmq` of a PostgreSQL database. Creates the schema if it is missing. */
export const openPostgresQueues = (options: PostgresQueuesOptions): Queues =>
  openBullQueues(postgresBackend(options), options.log, options.timings ?? defaultTimings);

/** The sum of both times is well below the minute that `Queues.consume` promises. */
const defaultTimings: ConsumerTimings = { lockMs: 30_000, stalledCheckMs: 15_000 };

/** Maximum time to close connections, in ms. */
const disconnectMs = 2_000;

const { Queue, Worker } = withBackend(createPostgresBackend);

const postgresBackend = ({ connectionString, maxConnections = 8, log }: PostgresQueuesOptions): BullBackend => {
  // In an ES module BullMQ cannot create its own pool, and it sets the schema only for its own.
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    options: '-c search_path=bullmq',
    application_name: 'hearth queue',
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    keepAlive: true,
  });
  pool.on('error', (error) => log.debug({ reason: error.message }, 'idle queue connection lost'));
  // A client that breaks while checked out fails its query, too. Without a listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Each queue and each worker adds listeners to the pool.
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
    // Closing a connection to a server that does not respond never ends. A process that closes the queue is about to
    // exit anyway.
    close: async () => Promise.race([pool.end(), delay(disconnectMs, undefined, { ref: false })]),
  };
};
