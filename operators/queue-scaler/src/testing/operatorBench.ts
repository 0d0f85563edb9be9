import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/testkit/servers/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScalerStatus, QueueScalerStatusCondition } from '../api/queueScaler.ts';
import {
  makeDeployment,
  makeFastScaler,
  startFakeApi,
  type FakeApi,
  type Misbehaviour,
  type RecordedRequest,
} from './fakeApi.ts';
import { startOperator, type OperatorProcess } from './operatorProcess.ts';
import { waitFor } from './waitFor.ts';

/** An operator, its queue and a fake API server, new for each test. */
export interface OperatorBench {
  /** Redis with the queue. */
  readonly redisUrl: string;
  readonly connection: Redis;
  readonly queue: Queue;
  readonly api: FakeApi;
  /** Available after `start`. */
  readonly operator: OperatorProcess;
  start(env?: Readonly<Record<string, string>>, nodeArguments?: readonly string[]): Promise<void>;
  /** Adds the QueueScaler `worker` and starts the operator. `how` makes the API server misbehave. */
  startWithScaler(
    how?: (request: RecordedRequest) => Misbehaviour | undefined,
    env?: Readonly<Record<string, string>>,
  ): Promise<void>;
  makeQueueSpecs(): { readonly name: string; readonly prefix: string; readonly jobsPerReplica: number }[];
  /** Adds a QueueScaler and its target. */
  addScaler(name: string): void;
  addJobs(count: number): Promise<void>;
  replicas(name?: string): unknown;
  waitForReplicas(count: number, name?: string): Promise<void>;
  /** Fills and drains the queue, and checks that the target is scaled up and down. */
  checkScaleUpAndDown(): Promise<void>;
  /** Returns the `Ready` condition of a QueueScaler. */
  ready(name?: string): QueueScalerStatusCondition | undefined;
  /** Counts requests between two times. `verb` selects those that contain it. */
  countRequests(from: number, to: number, verb?: string): number;
}

/** Starts a Redis for the calling suite, and an API server for each of its tests. */
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
  const makeQueueSpecs = () => [{ name: queue.name, prefix: 'bull', jobsPerReplica: 1 }];
  const addScaler = (name: string): void => {
    api.put('deployments', name, makeDeployment(0));
    api.put('queuescalers', name, makeFastScaler({ queues: makeQueueSpecs(), scaleTargetRef: { name } }));
  };
  const addJobs = async (count: number): Promise<void> => {
    await queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: {} })));
  };
  const replicas = (name = 'worker'): unknown => api.objects.get(`deployments/${name}`)?.spec?.['replicas'];
  const waitForReplicas = (count: number, name?: string): Promise<void> =>
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
    makeQueueSpecs,
    addScaler,
    addJobs,
    replicas,
    waitForReplicas,
    checkScaleUpAndDown: async () => {
      await addJobs(3);
      await waitForReplicas(3);
      await queue.drain();
      await waitForReplicas(0);
      assert.equal(operator.isRunning(), true);
    },
    ready: (name = 'worker') => {
      const status = api.objects.get(`queuescalers/${name}`)?.status as QueueScalerStatus | undefined;
      return status?.conditions?.find(({ type }) => type === 'Ready');
    },
    countRequests: (from, to, verb = '') =>
      api.requests.filter((request) => request.at >= from && request.at < to && request.verb.includes(verb)).length,
  };
};
