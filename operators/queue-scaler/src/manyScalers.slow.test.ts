import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { makeDeployment, makeFastScaler, startFakeApi } from './testing/fakeApi.ts';
import { startOperator, type OperatorProcess } from './testing/operatorProcess.ts';
import { waitFor, waitForReconciles } from './testing/waitFor.ts';

/** Maximum memory of the operator with five QueueScalers, in MB. */
const memoryLimit = 160;

suite('many QueueScalers', { skip: missingTool('redis-server') }, () => {
  for (const count of [5, 200]) {
    test(`${count} of them scale their targets`, async (t) => {
      const server = await startTestRedis();
      const connection = new Redis(server.url, { maxRetriesPerRequest: null });
      const api = await startFakeApi();
      const names = Array.from({ length: count }, (_, index) => `scaler-${index}`);
      for (const name of names) {
        const queue = new Queue(name, { connection });
        await queue.add('job', {});
        const queues = [{ name, prefix: 'bull', jobsPerReplica: 1 }];
        api.put('deployments', name, makeDeployment(0));
        api.put('queuescalers', name, makeFastScaler({ queues, scaleTargetRef: { name }, pollIntervalSeconds: 2 }));
      }
      const operator = await startOperator({
        HEARTH_KUBERNETES_URL: api.url,
        HEARTH_REDIS_URL: server.url,
        HEARTH_LOG_LEVEL: 'info',
      });
      try {
        await waitFor('all pods', () =>
          names.every((name) => api.objects.get(`deployments/${name}`)?.spec?.['replicas'] === 1),
        );
        await waitForReconciles(api, 3, names);
        const megabytes = await readResidentMegabytes(operator.pid);
        t.diagnostic(`${count} QueueScalers: ${megabytes} MB resident, ${await describeReconciles(operator)}`);
        assert.equal((await operator.get('/livez')).status, 200);
        if (count === 5) assert.ok(megabytes <= memoryLimit, `${megabytes} MB`);
      } finally {
        operator.signal('SIGKILL');
        connection.disconnect();
        await Promise.all([server.stop(), api.stop()]);
      }
    });
  }
});

const readResidentMegabytes = async (pid: number): Promise<number> => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
};

/** Formats the number of reconciles and the bucket of their 95th percentile. */
const describeReconciles = async (operator: OperatorProcess): Promise<string> => {
  const { text } = await operator.get('/metrics');
  const buckets = [...text.matchAll(/reconcile_duration_seconds_bucket\{le="([^"]+)",result="success"\} (\d+)/g)];
  const total = Number(buckets.at(-1)?.[2]);
  const p95 = buckets.find(([, , count]) => Number(count) >= total * 0.95)?.[1];
  return `${total} reconciles, p95 ${p95} s`;
};
