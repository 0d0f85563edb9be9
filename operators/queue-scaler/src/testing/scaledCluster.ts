import { after, before } from 'node:test';
import { startTestRedis, type TestRedis } from '@hearth/testkit/servers/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueScaler } from '../api/objects.ts';
import { startControlPlane, type AuditEvent, type ControlPlane } from './controlPlane.ts';
import { namespace, workerDeployment } from './manifests.ts';
import { installOperator, scalerManifest, scalersPath, startOperatorAs } from './operatorOnCluster.ts';
import type { OperatorProcess } from './operatorProcess.ts';
import { startSimulatedWorkers, type SimulatedWorkers } from './simulatedWorkers.ts';

const deploymentsPath = `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** A real control plane with the operator's manifests, a Deployment of workers, and their queue. */
export interface ScaledCluster {
  readonly cluster: ControlPlane;
  readonly queue: Queue;
  readonly workers: SimulatedWorkers | undefined;
  /** Operator processes by service account. */
  readonly operators: ReadonlyMap<string, OperatorProcess>;
  start(serviceAccount: string): Promise<OperatorProcess>;
  createScaler(name: string, spec: object): Promise<void>;
  /** The default name is `media`, also for `condition`. */
  getScaler(name?: string): Promise<QueueScaler>;
  patchSpec(spec: object): Promise<unknown>;
  /** Returns the status and reason of a condition, such as `True Reconciled`. */
  condition(type: string, name?: string): Promise<string>;
  replicas(): Promise<number>;
  /** Resolves with true if the target has no replicas and no pods. */
  isEmpty(): Promise<boolean>;
  /** Returns the number of completed jobs. */
  done(): number;
  /** Returns the writes of these service accounts, except for leases. */
  writesBy(...users: string[]): Promise<AuditEvent[]>;
}

/** Starts a control plane before the tests of the calling suite, and stops it after them. */
export const useScaledCluster = (): ScaledCluster => {
  let cluster: ControlPlane;
  let server: TestRedis;
  let connection: Redis;
  let queue: Queue;
  let workers: SimulatedWorkers | undefined;
  const operators = new Map<string, OperatorProcess>();

  before(async () => {
    [cluster, server] = await Promise.all([startControlPlane(), startTestRedis()]);
    connection = new Redis(server.url, { maxRetriesPerRequest: null }).setMaxListeners(0);
    queue = new Queue('media', { connection });
    await queue.waitUntilReady();
    await installOperator(cluster, server.url);
    await cluster.create('deployments', workerDeployment('hearth-worker-media'));
    workers = startSimulatedWorkers(cluster, namespace, queue, connection);
  });
  after(async () => {
    for (const operator of operators.values()) operator.signal('SIGKILL');
    await workers?.stop();
    connection.disconnect();
    await Promise.all([cluster.stop(), server.stop()]);
  });

  const start = async (serviceAccount: string): Promise<OperatorProcess> => {
    const operator = await startOperatorAs(cluster, serviceAccount, { HEARTH_POD_NAME: serviceAccount });
    operators.set(serviceAccount, operator);
    return operator;
  };
  const createScaler = (name: string, spec: object): Promise<void> =>
    cluster.create('queuescalers', scalerManifest(name, spec));
  const getScaler = (name = 'media'): Promise<QueueScaler> =>
    cluster.request({ method: 'GET', path: `${scalersPath}/${name}` });
  const patchSpec = (spec: object): Promise<unknown> =>
    cluster.request({
      method: 'PATCH',
      path: `${scalersPath}/media`,
      body: { spec },
      contentType: 'application/merge-patch+json',
    });
  const condition = async (type: string, name?: string): Promise<string> => {
    const found = (await getScaler(name)).status?.conditions?.find((each) => each.type === type);
    return `${found?.status} ${found?.reason}`;
  };
  const replicas = async (): Promise<number> => {
    const { spec } = await cluster.request<{ spec: { replicas: number } }>({
      method: 'GET',
      path: `${deploymentsPath}/hearth-worker-media`,
    });
    return spec.replicas;
  };
  const isEmpty = async (): Promise<boolean> => (await replicas()) === 0 && workers?.count() === 0;
  const writesBy = async (...users: string[]) =>
    (await cluster.audit()).filter(
      ({ verb, user, objectRef }) =>
        users.some((name) => user.username.endsWith(`:${name}`)) &&
        ['create', 'update', 'patch', 'delete'].includes(verb) &&
        objectRef?.resource !== 'leases',
    );

  return {
    get cluster() {
      return cluster;
    },
    get queue() {
      return queue;
    },
    get workers() {
      return workers;
    },
    operators,
    start,
    createScaler,
    getScaler,
    patchSpec,
    condition,
    replicas,
    isEmpty,
    done: () => workers?.done() ?? 0,
    writesBy,
  };
};
