import { startTestRedis } from '@hearth/core/testing/redis.ts';
import { poolNames } from '@hearth/core/pipeline.ts';
import { deploymentOf, quickScaler, startFakeApi } from '../../operators/queue-scaler/src/testing/fakeApi.ts';
import { startOperator } from '../../operators/queue-scaler/src/testing/operatorProcess.ts';
import type { Exporter } from '../../scripts/monitoring/exportedMetrics.ts';
import { openClient, type Client } from '../harness/client.ts';
import { credentialsOf, findFreePorts, startHearth } from '../harness/hearth.ts';
import { makePhotos } from '../harness/photos.ts';
import { watchProcessTree } from '../harness/processTree.ts';
import { until } from '../harness/wait.ts';

/** Every kind of process of Hearth, one of each, and an API server without a cluster for the operator. */
export interface MonitoredHearth {
  /** Where each process serves its metrics. */
  readonly targets: readonly Target[];
  /** Uploads photos, looks at what becomes of them, asks for what it may not see or is not there, and has METADATA done anew for all. */
  load(photos: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** What Prometheus scrapes. */
export interface Target {
  readonly exporter: Exporter;
  /** Host and port. */
  readonly address: string;
}

/** Starts Hearth as `npm start` does, with its queue on a Redis, and an operator that watches the same queues. */
export const startMonitoredHearth = async (directory: string): Promise<MonitoredHearth> => {
  const running = new AsyncDisposableStack();
  try {
    const redis = await startTestRedis();
    running.defer(() => redis.stop());
    const cluster = await startFakeApi();
    running.defer(() => cluster.stop());
    for (const pool of poolNames) {
      const queues = [{ name: pool, prefix: 'bull', jobsPerReplica: 5 }];
      cluster.put('deployments', `hearth-worker-${pool}`, deploymentOf(0));
      cluster.put('queuescalers', pool, quickScaler({ queues, scaleTargetRef: { name: `hearth-worker-${pool}` } }));
    }
    const ports = await findFreePorts();
    const processes = watchProcessTree();
    running.defer(() => processes.kill());
    const hearth = startHearth({ directory, ports, env: { HEARTH_REDIS_URL: redis.url } });
    processes.adopt(hearth.pid);
    await hearth.running;
    const operator = await startOperator({ HEARTH_KUBERNETES_URL: cluster.url, HEARTH_REDIS_URL: redis.url });
    running.defer(async () => {
      operator.signal('SIGKILL');
      await operator.ended();
    });
    const credentials = credentialsOf(hearth);
    const all = running.move();
    return {
      targets: [
        { exporter: 'api', address: `127.0.0.1:${ports.metrics}` },
        { exporter: 'worker', address: `127.0.0.1:${ports.metrics + 1}` },
        { exporter: 'operator', address: new URL(operator.url).host },
      ],
      load: (photos, signal) => use(openClient(hearth.url, credentials, signal), photos),
      stop: () => all.disposeAsync(),
    };
  } finally {
    await running.disposeAsync();
  }
};

const use = async (client: Client, count: number): Promise<void> => {
  const [first, ...others] = await makePhotos(count, count);
  // The first one signs in.
  const ids = [await client.upload(first!), ...(await Promise.all(others.map((photo) => client.upload(photo))))];
  await until('every photo is READY', async () =>
    (await client.list()).items.every(({ status }) => status === 'READY'),
  );
  for (const id of ids) {
    const { thumbnailUrl, previewUrl } = await client.get(id);
    for (const link of [thumbnailUrl, previewUrl]) await (await client.fetchLink(link!)).arrayBuffer();
  }
  for (const path of ['/livez', '/readyz', '/v1/events', '/v1/nowhere'])
    await (await client.fetchLink(path)).arrayBuffer();
  const job = await client.createJob(['METADATA']);
  await until('the job is completed', async () => (await client.getJob(job)).status === 'COMPLETED');
};
