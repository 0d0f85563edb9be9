/** What is in one queue. */
export interface QueueObservation {
  readonly name: string;
  /** Of the library that opened it last, such as `bullmq:6.7.0`; undefined where nobody wrote it. */
  readonly version: string | undefined;
  /** Whether its waiting jobs are kept back; those in hand are still finished. */
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly prioritized: number;
  /** All delayed jobs, `dueDelayed` among them. */
  readonly delayed: number;
  /** Delayed jobs that are due within the lookahead: without a worker nobody moves them to where they count as waiting. */
  readonly dueDelayed: number;
  /** Jobs that a worker has in hand, or that a worker has died with: only another worker takes those back. */
  readonly active: number;
  readonly waitingChildren: number;
  /** Age of the job that is next; undefined where none waits. */
  readonly oldestWaitSeconds: number | undefined;
}

/** A queue of which nothing is known, which is not the same as an empty one. */
export interface UnknownQueue {
  readonly name: string;
  /** A sentence for people. */
  readonly reason: string;
}

/** Everything that a decision rests on, as of one moment. */
export interface Observation {
  /** Pods that the Deployment is asked for. */
  readonly currentReplicas: number;
  readonly queues: readonly QueueObservation[];
  readonly unknownQueues: readonly UnknownQueue[];
  /** Pods of the target that hold an active job. */
  readonly busyPods: number;
  /** Those of them that are not ready: Kubernetes takes such pods first, whatever their deletion cost is. */
  readonly busyUnreadyPods: number;
  /** Pods of the target that hold none. */
  readonly idlePods: number;
  /** Active jobs that no pod is known to hold: any of the target may. */
  readonly unattributedJobs: number;
  /**
   * Whether pods are being replaced by those of another template: `progressing` as long as the Deployment gets further with it, `stuck` where it is
   * paused or has given up.
   */
  readonly rollout: 'none' | 'progressing' | 'stuck';
}

/** Jobs that a worker could begin now. */
export const runnableIn = ({ isPaused, waiting, prioritized, dueDelayed }: QueueObservation): number =>
  isPaused ? 0 : waiting + prioritized + dueDelayed;

/** Jobs of all queues that a worker could begin now. */
export const backlogOf = ({ queues }: Observation): number => queues.reduce((sum, queue) => sum + runnableIn(queue), 0);

/** Whether there is anything to do or in hand. */
export const isActive = (observation: Observation): boolean =>
  observation.queues.some((queue) => runnableIn(queue) > 0 || queue.active > 0);
