import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/testkit/servers/redis.ts';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueObservation } from '../decide/observation.ts';
import { observeQueues, type QueuesObservation } from '../observe/observeQueues.ts';
import { openRedisConnections, type RedisConnections } from '../observe/redis.ts';

/** BullMQ queues in the suite's Redis, with functions to observe them. */
export interface ObservedQueues {
  /** Available once the suite has started. */
  readonly server: TestRedis;
  readonly redis: Redis;
  readonly connections: RedisConnections;
  openQueue(name: string): Promise<Queue>;
  observe(...names: string[]): Promise<QueuesObservation>;
  observeBy(connections: RedisConnections, ...names: string[]): Promise<QueuesObservation>;
  /** Observes a queue that must not be unknown. */
  observeOne(name: string): Promise<QueueObservation | undefined>;
  /** Starts a worker with a pod name. Each job stays active until `work` ends or the worker is closed. */
  startWorker(queue: Queue, name: string, work?: () => Promise<void>): Promise<Worker>;
}

export const queueSpec = (name: string, prefix = 'bull') => ({ name, prefix, jobsPerReplica: 5 });

/** Starts a Redis before the tests of the calling suite, and stops it after them. */
export const observeTestQueues = (): ObservedQueues => {
  let server: TestRedis;
  let redis: Redis;
  const connections = openRedisConnections();
  const openedQueues: { close(force?: boolean): Promise<void> }[] = [];
  before(async () => {
    server = await startTestRedis();
    redis = new Redis(server.url, { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
  });
  after(async () => {
    for (const opened of openedQueues) await opened.close(true);
    connections.close();
    redis.disconnect();
    await server.stop();
  });

  const observeBy = (redisConnections: RedisConnections, ...names: string[]): Promise<QueuesObservation> => {
    const spec = { queues: names.map((name) => queueSpec(name)), lookaheadSeconds: 30 };
    return observeQueues(redisConnections, server.url, spec, Date.now());
  };
  const observe = (...names: string[]): Promise<QueuesObservation> => observeBy(connections, ...names);
  return {
    get server() {
      return server;
    },
    get redis() {
      return redis;
    },
    connections,
    openQueue: async (name) => {
      const queue = new Queue(name, { connection: redis });
      queue.on('error', () => undefined);
      openedQueues.push(queue);
      await queue.waitUntilReady();
      return queue;
    },
    observe,
    observeBy,
    observeOne: async (name) => {
      const { queues, unknownQueues } = await observe(name);
      assert.deepEqual(unknownQueues, []);
      return queues[0];
    },
    startWorker: async (queue, name, work = () => new Promise(() => undefined)) => {
      const worker = new Worker(queue.name, work, { connection: redis, name, stalledInterval: 300_000 });
      worker.on('error', () => undefined);
      openedQueues.push(worker);
      await worker.waitUntilReady();
      return worker;
    },
  };
};
