import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

// A worker as recommended in the README: named after its pod, and closing on SIGTERM. It writes a journal to a Redis
// list.

/**
 * Time after SIGTERM when the worker gives up its active jobs, in ms. It is less than the pod's
 * terminationGracePeriodSeconds.
 */
const closeMs = 10_000;

const { POD_NAME: pod = '', REDIS_URL: url = '' } = process.env;
const redis = new Redis(url, { maxRetriesPerRequest: null });
const activeJobs = new Set<string>();

const recordEvent = async (event: 'begin' | 'end' | 'sigterm' | 'closed' | 'left', job?: string): Promise<void> => {
  await redis.rpush('drill:journal', JSON.stringify({ at: Date.now(), pod, event, job, activeJobs: [...activeJobs] }));
};

const worker = new Worker<{ readonly ms: number }>(
  'media',
  async ({ id = '', data }) => {
    activeJobs.add(id);
    await recordEvent('begin', id);
    await delay(data.ms);
    await recordEvent('end', id);
    activeJobs.delete(id);
  },
  {
    connection: { url },
    name: pod,
    concurrency: 2,
    lockDuration: 5_000,
    stalledInterval: 2_000,
    maxStalledCount: 3,
  },
);
worker.on('error', () => undefined);

process.once('SIGTERM', () => {
  void recordEvent('sigterm');
  setTimeout(() => void recordEvent('left').finally(() => process.exit(1)), closeMs);
  void worker.close().then(async () => {
    await recordEvent('closed');
    process.exit(0);
  });
});
