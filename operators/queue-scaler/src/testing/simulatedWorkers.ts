import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { V1Pod } from '@kubernetes/client-node';
import type { List } from '../api/objects.ts';
import type { Stored } from './apiClient.ts';
import type { ControlPlane } from './controlPlane.ts';
import { waitFor } from './waitFor.ts';

/** Real BullMQ workers, named after simulated pods. */
export interface SimulatedWorkers {
  /** Returns the number of running workers. */
  count(): number;
  /** Returns the number of completed jobs. */
  done(): number;
  /** Returns the number of pods removed so far. */
  removed(): number;
  /** Returns the removed pods that were processing a job. */
  removedWhileBusy(): readonly string[];
  /** Adds a job whose worker dies while it processes the job. */
  orphan(data: WorkerJob): Promise<void>;
  stop(): Promise<void>;
}

interface WorkerJob {
  /** Duration of the job. */
  readonly ms: number;
}

interface RunningWorker {
  readonly worker: Worker<WorkerJob>;
  activeJobs: number;
}

/** Short timings, so that the job of a dead worker is retried within a test. */
const timings = { lockDuration: 2_000, stalledInterval: 1_000, maxStalledCount: 3 };

/** Starts a worker for each running pod of the namespace, and closes it when the pod is removed. */
export const startSimulatedWorkers = (
  cluster: ControlPlane,
  namespace: string,
  queue: Queue,
  connection: Redis,
): SimulatedWorkers => {
  const running = new Map<string, RunningWorker>();
  const closing: Promise<void>[] = [];
  const removedWhileBusy: string[] = [];
  let done = 0;
  let removed = 0;
  const stopping = new AbortController();

  const open = (name: string): void => {
    const entry: RunningWorker = {
      activeJobs: 0,
      worker: new Worker<WorkerJob>(
        queue.name,
        async ({ data }) => {
          entry.activeJobs += 1;
          await delay(data.ms);
          entry.activeJobs -= 1;
          done += 1;
        },
        { connection, name, ...timings },
      ).on('error', () => undefined),
    };
    running.set(name, entry);
  };
  const syncWithPods = async (): Promise<void> => {
    const { items } = await cluster.request<List<Stored<V1Pod>>>({
      method: 'GET',
      path: `/api/v1/namespaces/${namespace}/pods`,
    });
    const runningPods = items.filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running',
    );
    const names = new Set(runningPods.map(({ metadata }) => metadata.name));
    for (const [name, { worker, activeJobs }] of running) {
      if (names.has(name)) continue;
      removed += 1;
      if (activeJobs > 0) removedWhileBusy.push(name);
      running.delete(name);
      closing.push(worker.close().catch(() => undefined));
    }
    for (const name of names) if (!running.has(name)) open(name);
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await syncWithPods().catch(() => undefined);
      await delay(50);
    }
  })();

  return {
    count: () => running.size,
    done: () => done,
    removed: () => removed,
    removedWhileBusy: () => removedWhileBusy,
    orphan: async (data) => {
      const jobStarted = Promise.withResolvers<void>();
      const worker = new Worker<WorkerJob>(
        queue.name,
        () => {
          jobStarted.resolve();
          return new Promise(() => undefined);
        },
        { connection, name: 'dead', ...timings },
      ).on('error', () => undefined);
      await worker.waitUntilReady();
      await queue.add('job', data);
      await jobStarted.promise;
      await worker.close(true);
      await waitFor(
        'the expiry of its lock',
        async () => (await connection.keys(`bull:${queue.name}:*:lock`)).length === 0,
      );
    },
    stop: async () => {
      stopping.abort();
      await watching;
      for (const { worker } of running.values()) closing.push(worker.close(true).catch(() => undefined));
      await Promise.all(closing);
    },
  };
};
