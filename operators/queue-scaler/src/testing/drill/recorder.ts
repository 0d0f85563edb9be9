import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Kubernetes } from './kubernetes.ts';

/** What there was at a moment. */
export interface Sample {
  /** Since the beginning of the recording. */
  readonly seconds: number;
  /** Pods that the operator asks for, and those that are ready. */
  readonly asked: number;
  readonly ready: number;
  /** Jobs. */
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
}

export interface Recorder {
  readonly samples: readonly Sample[];
  /** Seconds from the beginning to a moment, now unless another is given. */
  seconds(at?: number): number;
  stop(): Promise<void>;
}

/** Milliseconds between two samples. */
const everyMs = 500;

/** Writes down what there is of pods and jobs, twice a second. */
export const startRecorder = (kubernetes: Kubernetes, queue: Queue, deployment: string): Recorder => {
  const begin = Date.now();
  const seconds = (at = Date.now()): number => Math.round((at - begin) / 100) / 10;
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
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
      asked: spec?.replicas ?? 0,
      ready: ready.length,
      waiting: counts['waiting'] ?? 0,
      active: counts['active'] ?? 0,
      done: counts['completed'] ?? 0,
    });
  };
  const recording = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(everyMs);
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
