import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { V1Deployment } from '@kubernetes/client-node';
import type { List, QueueScaler } from '../api/objects.ts';
import { startControlPlane, type ControlPlane, type KubernetesManifest } from './controlPlane.ts';
import { namespace, workerDeployment } from './manifests.ts';
import { installOperator, scalerManifest, scalersPath, startOperatorAs } from './operatorOnCluster.ts';
import type { OperatorProcess } from './operatorProcess.ts';
import { waitFor } from './waitFor.ts';

/** Costs of many QueueScalers on a real API server and a real Redis. */
export interface Costs {
  readonly count: number;
  /** Resident memory at the end, and its peak. */
  readonly megabytes: number;
  readonly peakMegabytes: number;
  /** Reconciles until every Deployment had its pod, and while nothing changed. */
  readonly scalingReconciles: ReconcileStats;
  readonly idleReconciles: ReconcileStats;
  /** Measured while nothing changed. */
  readonly requestsPerSecond: number;
  readonly writes: number;
  readonly cpuPercent: number;
  /** Status of `/livez` while Redis did not respond, and the number of Deployments that kept their pods. */
  readonly livezWithoutRedis: number;
  readonly heldWithoutRedis: number;
}

interface ReconcileStats {
  readonly count: number;
  /** 95th percentile in seconds, as a histogram bucket. */
  readonly p95: string;
}

/** Seconds at rest, and seconds with a frozen Redis. The latter is longer than the `/livez` limit. */
const restSeconds = 30;
const frozenSeconds = 50;

export const measureMany = async (count: number): Promise<Costs> => {
  const [cluster, server] = await Promise.all([startControlPlane(), startTestRedis()]);
  const connection = new Redis(server.url, { maxRetriesPerRequest: null });
  let operator: OperatorProcess | undefined;
  try {
    await installOperator(cluster, server.url, allowAnyDeployment);
    const names = Array.from({ length: count }, (_, index) => `scaler-${index}`);
    for (const name of names) {
      await new Queue(name, { connection }).add('job', {});
      await cluster.create('deployments', workerDeployment(name));
      await cluster.create('queuescalers', makeScaler(name));
    }
    operator = await startOperatorAs(cluster, 'hearth-queue-scaler', { HEARTH_LOG_LEVEL: 'info' });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const countDeploymentsWithOnePod = async (): Promise<number> => {
      const { items } = await cluster.request<List<V1Deployment>>({ method: 'GET', path });
      return items.filter(({ spec, status }) => spec?.replicas === 1 && status?.replicas === 1).length;
    };
    await waitFor('a pod for each', async () => (await countDeploymentsWithOnePod()) === count);
    const afterScaling = await takeSample(operator);
    await waitFor('statuses up to date', () => isReconciled(cluster, count));
    await delay(12_000);

    const before = await takeSample(operator);
    await delay(restSeconds * 1_000);
    const after = await takeSample(operator);
    await server.freeze();
    await delay(frozenSeconds * 1_000);
    const { status: livezWithoutRedis } = await operator.get('/livez');
    const heldWithoutRedis = await countDeploymentsWithOnePod();
    await server.thaw();
    await waitFor('statuses after Redis is back', () => isReconciled(cluster, count));
    const { memory } = await takeSample(operator);
    return {
      count,
      ...memory,
      scalingReconciles: countReconcilesBetween(undefined, afterScaling),
      idleReconciles: countReconcilesBetween(before, after),
      requestsPerSecond: Math.round(((after.requests - before.requests) / restSeconds) * 10) / 10,
      writes: after.writes - before.writes,
      cpuPercent: Math.round(((after.cpuSeconds - before.cpuSeconds) / restSeconds) * 1_000) / 10,
      livezWithoutRedis,
      heldWithoutRedis,
    };
  } finally {
    operator?.signal('SIGKILL');
    connection.disconnect();
    await server.thaw().catch(() => undefined);
    await Promise.all([cluster.stop(), server.stop()]);
  }
};

/** Removes the example Deployment names from the Role. */
const allowAnyDeployment = (manifest: KubernetesManifest): void => {
  const rules = manifest['rules'] as { resources: string[]; resourceNames?: string[] }[] | undefined;
  for (const rule of rules ?? []) if (rule.resources[0]?.startsWith('deployments')) delete rule.resourceNames;
};

/** Returns a QueueScaler with defaults, such as a poll interval of ten seconds. */
const makeScaler = (name: string): KubernetesManifest =>
  scalerManifest(name, {
    scaleTargetRef: { name },
    queues: [{ name }],
    redis: { secretRef: { name: 'hearth-redis', key: 'url' } },
    maxReplicas: 4,
  });

const isReconciled = async (cluster: ControlPlane, count: number): Promise<boolean> => {
  const { items } = await cluster.request<List<QueueScaler>>({ method: 'GET', path: scalersPath });
  const reconciled = items.filter(
    ({ status }) =>
      status?.currentReplicas === 1 &&
      status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
  );
  return reconciled.length === count;
};

/** Metrics of the operator and of its process at one point in time. */
interface Sample {
  readonly requests: number;
  /** Writes except those for the lease, the only object written with PUT. */
  readonly writes: number;
  readonly cpuSeconds: number;
  readonly memory: Pick<Costs, 'megabytes' | 'peakMegabytes'>;
  /** Upper bound in seconds and count of each bucket of the reconcile histogram. */
  readonly buckets: readonly (readonly [string, number])[];
}

const takeSample = async ({ pid, get }: OperatorProcess): Promise<Sample> => {
  const [{ text }, status] = await Promise.all([get('/metrics'), readFile(`/proc/${pid}/status`, 'utf8')]);
  const requests = [...text.matchAll(/rest_client_requests_total\{method="(\w+)",code="\d+"\} (\d+)/g)];
  const sum = (methods: RegExp): number =>
    requests.filter(([, method = '']) => methods.test(method)).reduce((total, [, , value]) => total + Number(value), 0);
  const readMegabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024);
  return {
    requests: sum(/./),
    writes: sum(/PATCH|POST/),
    cpuSeconds: Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]),
    memory: { megabytes: readMegabytes('VmRSS'), peakMegabytes: readMegabytes('VmHWM') },
    buckets: [...text.matchAll(/reconcile_duration_seconds_bucket\{le="([^"]+)",result="success"\} (\d+)/g)].map(
      ([, le = '', value]) => [le, Number(value)] as const,
    ),
  };
};

const countReconcilesBetween = (before: Sample | undefined, after: Sample): ReconcileStats => {
  const buckets = after.buckets.map(([le, total], index) => [le, total - (before?.buckets[index]?.[1] ?? 0)] as const);
  const count = buckets.at(-1)?.[1] ?? 0;
  return { count, p95: buckets.find(([, total]) => total >= count * 0.95)?.[0] ?? '+Inf' };
};
