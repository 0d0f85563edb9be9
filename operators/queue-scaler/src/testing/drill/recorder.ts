import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Kubernetes } from './kubernetes.ts';

/** Pods and jobs at one point in time. */
export interface Sample {
  /** Seconds since the start of the recording. */
  readonly seconds: number;
  /** Desired number of replicas. */
  readonly desired: number;
  /** Number of ready pods. */
  readonly ready: number;
  /** Numbers of jobs. */
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
}

export interface Recorder {
  readonly samples: readonly Sample[];
  /** Returns the seconds from the start to a time, by default now. */
  seconds(at?: number): number;
  stop(): Promise<void>;
}

/** Interval of samples, in ms. */
const intervalMs = 500;

/** Samples the pods and jobs twice a second. */
export const startRecorder = (kubernetes: Kubernetes, queue: Queue, deployment: string): Recorder => {
  const begin = Date.now();
  const seconds = (at = Date.now()): number => Math.round((at - begin) / 100) / 10;
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const takeSample = async (): Promise<void> => {
    const [{ spec }, pods, counts] = await Promise.all([
      kubernetes.findDeployment(deployment),
      kubernetes.listPods(deployment),
      queue.getJobCounts('waiting', 'active', 'completed'),
    ]);
    const ready = pods.filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined &&
        status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
    );
    samples.push({
      seconds: seconds(),
      desired: spec?.replicas ?? 0,
      ready: ready.length,
      waiting: counts['waiting'] ?? 0,
      active: counts['active'] ?? 0,
      done: counts['completed'] ?? 0,
    });
  };
  const recording = (async () => {
    while (!stopping.signal.aborted) {
      await takeSample();
      await delay(intervalMs);
    }
  })();
  return {
    samples,
    seconds,
    stop: async () => {
      stopping.abort();
      await recording;
    },
  };
};
