import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestRedis } from '@hearth/core/testing/redis.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { V1Deployment } from '@kubernetes/client-node';
import type { List, QueueScaler } from '../cluster/objects.ts';
import { startControlPlane, type ControlPlane, type KubernetesManifest } from './controlPlane.ts';
import { namespace, workerDeployment } from './manifests.ts';
import { installOperator, scalerManifest, scalersPath, startOperatorAs } from './operatorOnCluster.ts';
import type { OperatorProcess } from './operatorProcess.ts';
import { waitFor } from './waitFor.ts';

/** What many QueueScalers cost, on a real API server and a real Redis. */
export interface Costs {
  readonly count: number;
  /** Megabytes resident at the end, and at most. */
  readonly megabytes: number;
  readonly peakMegabytes: number;
  /** Turns until every Deployment had the pod that its queue asked for, and while nothing changed; seconds within which 95 % of them were over. */
  readonly atWork: Turns;
  readonly atRest: Turns;
  /** While nothing changed. */
  readonly requestsPerSecond: number;
  readonly writes: number;
  readonly cpuPercent: number;
  /** What `/livez` said while Redis did not answer, and how many Deployments had as many pods as before. */
  readonly livezWithoutRedis: number;
  readonly heldWithoutRedis: number;
}

interface Turns {
  readonly count: number;
  readonly p95: string;
}

/** Seconds for which nothing changes, and for which Redis does not answer: longer than the interval after which livez would complain. */
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
      await cluster.create('queuescalers', scalerOf(name));
    }
    operator = await startOperatorAs(cluster, 'hearth-queue-scaler', { HEARTH_LOG_LEVEL: 'info' });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const withOnePod = async (): Promise<number> => {
      const { items } = await cluster.ask<List<V1Deployment>>({ method: 'GET', path });
      return items.filter(({ spec, status }) => spec?.replicas === 1 && status?.replicas === 1).length;
    };
    await waitFor('a pod for each', async () => (await withOnePod()) === count);
    const worked = await look(operator);
    await waitFor('statuses that say so', () => isSettled(cluster, count));
    await delay(12_000);

    const before = await look(operator);
    await delay(restSeconds * 1_000);
    const after = await look(operator);
    await server.freeze();
    await delay(frozenSeconds * 1_000);
    const { status: livezWithoutRedis } = await operator.get('/livez');
    const heldWithoutRedis = await withOnePod();
    await server.thaw();
    await waitFor('statuses after Redis is back', () => isSettled(cluster, count));
    const { memory } = await look(operator);
    return {
      count,
      ...memory,
      atWork: turnsBetween(undefined, worked),
      atRest: turnsBetween(before, after),
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

/** The Role names the Deployments of the example. */
const allowAnyDeployment = (manifest: KubernetesManifest): void => {
  const rules = manifest['rules'] as { resources: string[]; resourceNames?: string[] }[] | undefined;
  for (const rule of rules ?? []) if (rule.resources[0]?.startsWith('deployments')) delete rule.resourceNames;
};

/** As in the example, every ten seconds. */
const scalerOf = (name: string): KubernetesManifest =>
  scalerManifest(name, {
    scaleTargetRef: { name },
    queues: [{ name }],
    redis: { secretRef: { name: 'hearth-redis', key: 'url' } },
    maxReplicas: 4,
  });

const isSettled = async (cluster: ControlPlane, count: number): Promise<boolean> => {
  const { items } = await cluster.ask<List<QueueScaler>>({ method: 'GET', path: scalersPath });
  const settled = items.filter(
    ({ status }) =>
      status?.currentReplicas === 1 &&
      status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
  );
  return settled.length === count;
};

/** What the operator says of itself, and the system of it. */
interface Look {
  readonly requests: number;
  /** Requests that write, leases aside: those are the only PUTs. */
  readonly writes: number;
  readonly cpuSeconds: number;
  readonly memory: Pick<Costs, 'megabytes' | 'peakMegabytes'>;
  /** Turns that were over within so many seconds, by that number. */
  readonly turns: readonly (readonly [string, number])[];
}

const look = async ({ pid, get }: OperatorProcess): Promise<Look> => {
  const [{ text }, status] = await Promise.all([get('/metrics'), readFile(`/proc/${pid}/status`, 'utf8')]);
  const requests = [...text.matchAll(/rest_client_requests_total\{method="(\w+)",code="\d+"\} (\d+)/g)];
  const sum = (methods: RegExp): number =>
    requests.filter(([, method = '']) => methods.test(method)).reduce((total, [, , many]) => total + Number(many), 0);
  const megabytesOf = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024);
  return {
    requests: sum(/./),
    writes: sum(/PATCH|POST/),
    cpuSeconds: Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]),
    memory: { megabytes: megabytesOf('VmRSS'), peakMegabytes: megabytesOf('VmHWM') },
    turns: [...text.matchAll(/reconcile_duration_seconds_bucket\{le="([^"]+)",result="success"\} (\d+)/g)].map(
      ([, le = '', many]) => [le, Number(many)] as const,
    ),
  };
};

/** How many turns there were, and the bucket that 95 % of them are in. */
const turnsBetween = (before: Look | undefined, after: Look): Turns => {
  const turns = after.turns.map(([le, many], index) => [le, many - (before?.turns[index]?.[1] ?? 0)] as const);
  const count = turns.at(-1)?.[1] ?? 0;
  return { count, p95: turns.find(([, many]) => many >= count * 0.95)?.[0] ?? '+Inf' };
};
