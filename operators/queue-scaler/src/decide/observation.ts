export interface QueueObservation {
  readonly name: string;
  /** Library that last opened the queue, such as `bullmq:6.7.0`. Undefined if it did not write its version. */
  readonly version: string | undefined;
  /** Workers of a paused queue finish active jobs but start no waiting ones. */
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly prioritized: number;
  /** All delayed jobs, including `dueDelayed`. */
  readonly delayed: number;
  /** Delayed jobs that are due within the lookahead. BullMQ needs a running worker to move them to the waiting jobs. */
  readonly dueDelayed: number;
  /**
   * Active jobs, including those of dead workers. BullMQ needs a running worker to move these back to the waiting jobs.
   */
  readonly active: number;
  readonly waitingChildren: number;
  /** Age of the next job. Undefined if no job is waiting. */
  readonly oldestWaitSeconds: number | undefined;
}

/** A queue that could not be read. It must not be treated as empty. */
export interface UnknownQueue {
  readonly name: string;
  /** Reason, as a sentence for the status. */
  readonly reason: string;
}

/** Input of a decision, in addition to the spec and the history. */
export interface Observation {
  /** `spec.replicas` of the Deployment. */
  readonly currentReplicas: number;
  readonly queues: readonly QueueObservation[];
  readonly unknownQueues: readonly UnknownQueue[];
  /** Pods of the target with an active job. */
  readonly busyPods: number;
  /** Busy pods that are not ready. Kubernetes removes them first, regardless of their deletion cost. */
  readonly busyUnreadyPods: number;
  /** Pods of the target without an active job. */
  readonly idlePods: number;
  /** Active jobs without a known pod. Any pod of the target may be processing them. */
  readonly unattributedJobs: number;
  /**
   * State of the Deployment's rollout of a new pod template. `stuck` means that it is paused or has exceeded its
   * progress deadline.
   */
  readonly rollout: 'none' | 'progressing' | 'stuck';
}

/** Returns the number of jobs in the queue that a worker could start now. */
export const countRunnable = ({ isPaused, waiting, prioritized, dueDelayed }: QueueObservation): number =>
  isPaused ? 0 : waiting + prioritized + dueDelayed;

/** Returns the number of jobs in all queues that a worker could start now. */
export const countBacklog = ({ queues }: Observation): number =>
  queues.reduce((sum, queue) => sum + countRunnable(queue), 0);

/** Returns true if a job is active or can be started. */
export const isActive = (observation: Observation): boolean =>
  observation.queues.some((queue) => countRunnable(queue) > 0 || queue.active > 0);
