import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/core/testing/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
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

/** An operator, its queue, and an API server that does not do what it should; each test has its own of all three. */
export interface MisbehavingApi {
  readonly queue: Queue;
  readonly api: FakeApi;
  /** There once `start` has been called. */
  readonly operator: OperatorProcess;
  /** Starts the operator with the QueueScaler `worker`, on an API server that misbehaves as `how` says. */
  start(
    how?: (request: SeenRequest) => Misbehaviour | undefined,
    env?: Readonly<Record<string, string>>,
  ): Promise<void>;
  ownQueues(): { readonly name: string; readonly prefix: string; readonly jobsPerReplica: number }[];
  addScaler(name: string): void;
  replicas(name?: string): unknown;
  converges(count: number, name?: string): Promise<void>;
  /** Fills the queue and empties it, and sees the pods follow. */
  follows(): Promise<void>;
  /** Counts requests between two moments. */
  madeBetween(from: number, to: number, verb?: string): number;
}

/** Call it in a suite, whose tests then have an API server each. */
export const useMisbehavingApi = (): MisbehavingApi => {
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let api: FakeApi;
  let operator: OperatorProcess;
  let count = 0;
  before(async () => {
    server = await startTestRedis();
    connection = new Redis(server.url, { maxRetriesPerRequest: null });
  });
  after(async () => {
    connection.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    queue = new Queue(`media-${(count += 1)}`, { connection });
    await queue.waitUntilReady();
    api = await startFakeApi();
  });
  afterEach(async () => {
    operator.signal('SIGKILL');
    await operator.ended();
    await queue.close();
    await api.stop();
  });

  const ownQueues = () => [{ name: queue.name, prefix: 'bull', jobsPerReplica: 1 }];
  const addScaler = (name: string): void => {
    api.put('deployments', name, deploymentOf(0));
    api.put('queuescalers', name, quickScaler({ queues: ownQueues(), scaleTargetRef: { name } }));
  };
  const replicas = (name = 'worker'): unknown => api.objects.get(`deployments/${name}`)?.spec?.['replicas'];
  const converges = (count: number, name?: string): Promise<void> =>
    waitFor(`${count} replicas of ${name ?? 'worker'}`, () => replicas(name) === count);
  return {
    get queue() {
      return queue;
    },
    get api() {
      return api;
    },
    get operator() {
      return operator;
    },
    start: async (how, env = {}) => {
      api.misbehave(how);
      addScaler('worker');
      operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url, HEARTH_REDIS_URL: server.url, ...env });
    },
    ownQueues,
    addScaler,
    replicas,
    converges,
    follows: async () => {
      await queue.addBulk([1, 2, 3].map(() => ({ name: 'job', data: {} })));
      await converges(3);
      await queue.drain();
      await converges(0);
      assert.equal(operator.isRunning(), true);
    },
    madeBetween: (from, to, verb = '') =>
      api.requests.filter((request) => request.at >= from && request.at < to && request.verb.includes(verb)).length,
  };
};
