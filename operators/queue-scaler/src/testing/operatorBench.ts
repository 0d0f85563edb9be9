import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/core/testing/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScalerStatus, QueueScalerStatusCondition } from '../queueScaler.ts';
import {
  deploymentOf,
  quickScaler,
  startFakeApi,
  type FakeApi,
  type Misbehaviour,
  type SeenRequest,
} from './fakeApi.ts';
import { startOperator, type OperatorProcess } from './operatorProcess.ts';
import { waitFor } from './waitFor.ts';

/** An operator, its queue, and an API server that does what it is told; each test has its own of all three. */
export interface OperatorBench {
  /** Of the Redis in which the queue is. */
  readonly redisUrl: string;
  readonly connection: Redis;
  readonly queue: Queue;
  readonly api: FakeApi;
  /** There once it has been started. */
  readonly operator: OperatorProcess;
  start(env?: Readonly<Record<string, string>>, nodeArguments?: readonly string[]): Promise<void>;
  /** Starts the operator with the QueueScaler `worker`, on an API server that misbehaves as `how` says. */
  startWithScaler(
    how?: (request: SeenRequest) => Misbehaviour | undefined,
    env?: Readonly<Record<string, string>>,
  ): Promise<void>;
  ownQueues(): { readonly name: string; readonly prefix: string; readonly jobsPerReplica: number }[];
  /** Adds a QueueScaler and the Deployment that it scales. */
  addScaler(name: string): void;
  addJobs(count: number): Promise<void>;
  replicas(name?: string): unknown;
  converges(count: number, name?: string): Promise<void>;
  /** Fills the queue and empties it, and sees the pods follow. */
  follows(): Promise<void>;
  /** The condition `Ready` of a QueueScaler. */
  ready(name?: string): QueueScalerStatusCondition | undefined;
  /** Counts requests between two moments. */
  madeBetween(from: number, to: number, verb?: string): number;
}

/** Call it in a suite, whose tests then have an API server each. */
export const useOperatorBench = (): OperatorBench => {
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let api: FakeApi;
  let operator: OperatorProcess;
  let tests = 0;
  before(async () => {
    server = await startTestRedis();
    connection = new Redis(server.url, { maxRetriesPerRequest: null });
  });
  after(async () => {
    connection.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    queue = new Queue(`media-${(tests += 1)}`, { connection });
    await queue.waitUntilReady();
    api = await startFakeApi();
  });
  afterEach(async () => {
    operator.signal('SIGKILL');
    await operator.ended();
    await queue.close();
    await api.stop();
  });

  const start: OperatorBench['start'] = async (env = {}, nodeArguments) => {
    const addresses = { HEARTH_KUBERNETES_URL: api.url, HEARTH_REDIS_URL: server.url };
    operator = await startOperator({ ...addresses, ...env }, nodeArguments);
  };
  const ownQueues = () => [{ name: queue.name, prefix: 'bull', jobsPerReplica: 1 }];
  const addScaler = (name: string): void => {
    api.put('deployments', name, deploymentOf(0));
    api.put('queuescalers', name, quickScaler({ queues: ownQueues(), scaleTargetRef: { name } }));
  };
  const addJobs = async (count: number): Promise<void> => {
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: {} })));
  };
  const replicas = (name = 'worker'): unknown => api.objects.get(`deployments/${name}`)?.spec?.['replicas'];
  const converges = (count: number, name?: string): Promise<void> =>
    waitFor(`${count} replicas of ${name ?? 'worker'}`, () => replicas(name) === count);
  return {
    get redisUrl() {
      return server.url;
    },
    get connection() {
      return connection;
    },
    get queue() {
      return queue;
    },
    get api() {
      return api;
    },
    get operator() {
      return operator;
    },
    start,
    startWithScaler: async (how, env) => {
      api.misbehave(how);
      addScaler('worker');
      await start(env);
    },
    ownQueues,
    addScaler,
    addJobs,
    replicas,
    converges,
    follows: async () => {
      await addJobs(3);
      await converges(3);
      await queue.drain();
      await converges(0);
      assert.equal(operator.isRunning(), true);
    },
    ready: (name = 'worker') => {
      const status = api.objects.get(`queuescalers/${name}`)?.status as QueueScalerStatus | undefined;
      return status?.conditions?.find(({ type }) => type === 'Ready');
    },
    madeBetween: (from, to, verb = '') =>
      api.requests.filter((request) => request.at >= from && request.at < to && request.verb.includes(verb)).length,
  };
};
