import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

// A worker as the operator wants it: named after its pod, and closing at SIGTERM. What it does it writes into a list of Redis.

/** Milliseconds after which a job that is not finished is left to another worker: less than the pod's terminationGracePeriodSeconds. */
const closeMs = 10_000;

const { POD_NAME: pod = '', REDIS_URL: url = '' } = process.env;
const redis = new Redis(url, { maxRetriesPerRequest: null });
const inHand = new Set<string>();

const note = async (event: 'begin' | 'end' | 'sigterm' | 'closed' | 'left', job?: string): Promise<void> => {
  await redis.rpush('drill:journal', JSON.stringify({ at: Date.now(), pod, event, job, inHand: [...inHand] }));
};

const worker = new Worker<{ readonly ms: number }>(
  'media',
  async ({ id = '', data }) => {
    inHand.add(id);
    await note('begin', id);
    await delay(data.ms);
    await note('end', id);
    inHand.delete(id);
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
  void note('sigterm');
  setTimeout(() => void note('left').finally(() => process.exit(1)), closeMs);
  void worker.close().then(async () => {
    await note('closed');
    process.exit(0);
  });
});
