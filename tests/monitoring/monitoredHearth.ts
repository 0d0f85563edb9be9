import { setTimeout as sleep } from 'node:timers/promises';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import { makeDeployment, makeFastScaler, startFakeApi } from '@hearth/queue-scaler/testing/fakeApi.ts';
import { startOperator } from '@hearth/queue-scaler/testing/operatorProcess.ts';
import type { Exporter } from '@hearth/scripts/monitoring/exportedMetrics.ts';
import { openClient, type Client } from '@hearth/testkit/hearth/client.ts';
import { getCredentials, findFreePorts, startHearth } from '@hearth/testkit/hearth/hearth.ts';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';

/** One of every kind of Hearth process, and a fake Kubernetes API server for the operator. */
export interface MonitoredHearth {
  /** Metrics endpoints of the processes. */
  readonly targets: readonly Target[];
  /** Client of a user with an empty library. */
  readonly client: Client;
  /** Returns the operator's last log lines if it has exited. */
  lastLines(): string[];
  stop(): Promise<void>;
}

/** A scrape target of Prometheus. */
export interface Target {
  readonly exporter: Exporter;
  /** Host and port. */
  readonly address: string;
}

/** Starts Hearth like `npm start` with a Redis queue, and an operator that watches the same queues. */
export const startMonitoredHearth = async (directory: string, signal: AbortSignal): Promise<MonitoredHearth> => {
  const running = new AsyncDisposableStack();
  try {
    const redis = await startTestRedis();
    running.defer(() => redis.stop());
    const cluster = await startFakeApi();
    running.defer(() => cluster.stop());
    for (const pool of poolNames) {
      const queues = [{ name: pool, prefix: 'bull', jobsPerReplica: 5 }];
      cluster.put('deployments', `hearth-worker-${pool}`, makeDeployment(0));
      cluster.put('queuescalers', pool, makeFastScaler({ queues, scaleTargetRef: { name: `hearth-worker-${pool}` } }));
    }
    const ports = await findFreePorts();
    const processes = watchProcessTree();
    running.defer(() => processes.kill());
    const hearth = startHearth({ directory, ports, env: { HEARTH_REDIS_URL: redis.url } });
    processes.adopt(hearth.pid);
    await hearth.running;
    const operator = await keepOperatorRunning({ HEARTH_KUBERNETES_URL: cluster.url, HEARTH_REDIS_URL: redis.url });
    running.defer(() => operator.stop());
    const credentials = getCredentials(hearth);
    const all = running.move();
    return {
      targets: [
        { exporter: 'api', address: `127.0.0.1:${ports.metrics}` },
        { exporter: 'worker', address: `127.0.0.1:${ports.metrics + 1}` },
        { exporter: 'operator', address: new URL(operator.url).host },
      ],
      client: openClient(hearth.url, credentials, signal),
      lastLines: () => operator.lastLines(),
      stop: () => all.disposeAsync(),
    };
  } finally {
    await running.disposeAsync();
  }
};

/**
 * Starts the operator, and restarts it on the same port after it loses its lease, as Kubernetes does. On a busy machine
 * it may lose the lease.
 */
const keepOperatorRunning = async (env: Readonly<Record<string, string>>) => {
  let operator = await startOperator(env);
  const { url } = operator;
  const stopping = new AbortController();
  const hasLostLease = (): boolean =>
    !operator.isRunning() && operator.lines.at(-1)?.msg.startsWith('leader election lost') === true;
  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      if (hasLostLease()) operator = await startOperator({ ...env, HEARTH_METRICS_PORT: new URL(url).port });
      await sleep(500, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    url,
    lastLines: (): string[] =>
      operator.isRunning()
        ? []
        : operator.lines.slice(-3).map(({ msg, err }) => `the operator exited: ${msg} ${err?.message ?? ''}`),
    stop: async (): Promise<void> => {
      stopping.abort();
      await keeping;
      operator.signal('SIGKILL');
      await operator.ended();
    },
  };
};
