import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { V1Pod } from '@kubernetes/client-node';
import type { List } from '../cluster/objects.ts';
import type { Stored } from './askApi.ts';
import type { ControlPlane } from './controlPlane.ts';
import { waitFor } from './waitFor.ts';

/** Real BullMQ workers under the names of pods that only pretend to run. */
export interface SimulatedWorkers {
  /** Workers that run. */
  count(): number;
  /** Jobs that were finished. */
  done(): number;
  /** Pods that were taken away so far. */
  taken(): number;
  /** Those of them that were in the middle of a job. */
  shot(): readonly string[];
  /** Adds a job that a worker takes and dies with. */
  orphan(data: WorkerJob): Promise<void>;
  stop(): Promise<void>;
}

/** A job that lasts so long. */
interface WorkerJob {
  readonly ms: number;
}

interface RunningWorker {
  readonly worker: Worker<WorkerJob>;
  inHand: number;
}

/** Short, so that a job whose worker died comes back within a test. */
const timings = { lockDuration: 2_000, stalledInterval: 1_000, maxStalledCount: 3 };

/** Starts a worker for each ready pod of the namespace, and ends it when the pod goes. */
export const startSimulatedWorkers = (
  cluster: ControlPlane,
  namespace: string,
  queue: Queue,
  connection: Redis,
): SimulatedWorkers => {
  const running = new Map<string, RunningWorker>();
  const closing: Promise<void>[] = [];
  const shot: string[] = [];
  let done = 0;
  let taken = 0;
  const stopping = new AbortController();

  const open = (name: string): void => {
    const own: RunningWorker = {
      inHand: 0,
      worker: new Worker<WorkerJob>(
        queue.name,
        async ({ data }) => {
          own.inHand += 1;
          await delay(data.ms);
          own.inHand -= 1;
          done += 1;
        },
        { connection, name, ...timings },
      ).on('error', () => undefined),
    };
    running.set(name, own);
  };
  const look = async (): Promise<void> => {
    const { items } = await cluster.ask<List<Stored<V1Pod>>>({
      method: 'GET',
      path: `/api/v1/namespaces/${namespace}/pods`,
    });
    const there = items.filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running',
    );
    const names = new Set(there.map(({ metadata }) => metadata.name));
    for (const [name, { worker, inHand }] of running) {
      if (names.has(name)) continue;
      taken += 1;
      if (inHand > 0) shot.push(name);
      running.delete(name);
      closing.push(worker.close().catch(() => undefined));
    }
    for (const name of names) if (!running.has(name)) open(name);
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined);
      await delay(50);
    }
  })();

  return {
    count: () => running.size,
    done: () => done,
    taken: () => taken,
    shot: () => shot,
    orphan: async (data) => {
      const hasTaken = Promise.withResolvers<void>();
      const worker = new Worker<WorkerJob>(
        queue.name,
        () => {
          hasTaken.resolve();
          return new Promise(() => undefined);
        },
        { connection, name: 'dead', ...timings },
      ).on('error', () => undefined);
      await worker.waitUntilReady();
      await queue.add('job', data);
      await hasTaken.promise;
      await worker.close(true);
      await waitFor(
        'the end of its lock',
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
