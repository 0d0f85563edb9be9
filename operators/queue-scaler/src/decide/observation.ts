/** The state of one queue. */
export interface QueueObservation {
  readonly name: string;
  /** The library that last opened the queue, such as `bullmq:6.7.0`; undefined when it did not write its version. */
  readonly version: string | undefined;
  /** Workers of a paused queue start no waiting job, and finish the active ones. */
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly prioritized: number;
  /** All delayed jobs, including `dueDelayed`. */
  readonly delayed: number;
  /** Delayed jobs that are due within the lookahead. BullMQ needs a running worker to move them to the waiting jobs. */
  readonly dueDelayed: number;
  /** Active jobs, including those of workers that died. BullMQ needs a running worker to make those waiting again. */
  readonly active: number;
  readonly waitingChildren: number;
  /** Age of the next job; undefined when no job is waiting. */
  readonly oldestWaitSeconds: number | undefined;
}

/** A queue that could not be read. It is not the same as an empty queue. */
export interface UnknownQueue {
  readonly name: string;
  /** Why, as a sentence for the status. */
  readonly reason: string;
}

/** Everything that a decision depends on besides the spec and the history. */
export interface Observation {
  /** `spec.replicas` of the Deployment. */
  readonly currentReplicas: number;
  readonly queues: readonly QueueObservation[];
  readonly unknownQueues: readonly UnknownQueue[];
  /** Pods of the target with an active job. */
  readonly busyPods: number;
  /** Busy pods that are not ready. Kubernetes removes such pods first, whatever their deletion cost. */
  readonly busyUnreadyPods: number;
  /** Pods of the target without an active job. */
  readonly idlePods: number;
  /** Active jobs for which no pod is known. Any pod of the target may be processing them. */
  readonly unattributedJobs: number;
  /** The Deployment's rollout of a new pod template. `stuck`: it is paused, or its progress deadline is exceeded. */
  readonly rollout: 'none' | 'progressing' | 'stuck';
}

/** Number of jobs in the queue that a worker could start now. */
export const runnableIn = ({ isPaused, waiting, prioritized, dueDelayed }: QueueObservation): number =>
  isPaused ? 0 : waiting + prioritized + dueDelayed;

/** Number of jobs in all queues that a worker could start now. */
export const backlogOf = ({ queues }: Observation): number => queues.reduce((sum, queue) => sum + runnableIn(queue), 0);

/** Whether a job can be started or is active. */
export const isActive = (observation: Observation): boolean =>
  observation.queues.some((queue) => runnableIn(queue) > 0 || queue.active > 0);
