// Made from charts/hearth/crds/queueScalers.yaml by npm run crd:types -w operators/queue-scaler: change that file, not this one.

/** Where the API server has QueueScalers. */
export const queueScalerApi = {
  group: 'scaling.hearth.photos',
  version: 'v1alpha1',
  plural: 'queuescalers',
} as const;

/** What is scaled, by which queues, and within which bounds. */
export interface QueueScalerSpec {
  /** The Deployment, in the same namespace. */
  readonly scaleTargetRef: QueueScalerSpecScaleTargetRef;
  /** The queues that the target's pods pull from. */
  readonly queues: readonly QueueScalerSpecQueue[];
  /** Where the queues are, if not at the operator's own Redis. */
  readonly redis?: QueueScalerSpecRedis;
  /** Fewest pods; with 0 there are none while there is nothing to do. */
  readonly minReplicas: number;
  /** Most pods. */
  readonly maxReplicas: number;
  /** Seconds between two looks at the queues. */
  readonly pollIntervalSeconds: number;
  /** Delayed jobs that are due within so many seconds count as waiting. */
  readonly lookaheadSeconds: number;
  /** Seconds without waiting and active jobs before the last pod goes. */
  readonly cooldownSeconds: number;
  /** A change of at most so many percent of the pods is not made. */
  readonly tolerancePercent: number;
  /** How fast pods are added and taken away. */
  readonly behavior: QueueScalerSpecBehavior;
  /** Whether pods that are in the middle of a job are kept. Prefer: there are never fewer pods than busy ones, and idle ones go first. Strict: besides, no more pods are taken away than are known to be idle. Off: neither. Needs workers that are named after their pod. */
  readonly protectBusyPods: 'Prefer' | 'Strict' | 'Off';
  /** What is done when the queues cannot be read. */
  readonly fallback: QueueScalerSpecFallback;
  /** Whether the pods are left alone; the status is still kept. */
  readonly suspend: boolean;
}

/** The Deployment, in the same namespace. */
export interface QueueScalerSpecScaleTargetRef {
  /** Of the target. */
  readonly apiVersion: 'apps/v1';
  /** Of the target. */
  readonly kind: 'Deployment';
  /** Of the target. */
  readonly name: string;
}

/** A queue, and how much of it a replica is for. Of several queues the one that asks for the most replicas counts. */
export interface QueueScalerSpecQueue {
  /** As BullMQ knows it. */
  readonly name: string;
  /** What the queue's keys in Redis begin with. */
  readonly prefix: string;
  /** How many waiting and active jobs of this queue there may be for each replica. */
  readonly jobsPerReplica: number;
}

/** Where the queues are, if not at the operator's own Redis. */
export interface QueueScalerSpecRedis {
  /** The entry of a Secret in the same namespace that holds a redis:// or rediss:// URL. */
  readonly secretRef: QueueScalerSpecRedisSecretRef;
}

/** The entry of a Secret in the same namespace that holds a redis:// or rediss:// URL. */
export interface QueueScalerSpecRedisSecretRef {
  /** Of the Secret. */
  readonly name: string;
  /** Of the entry. */
  readonly key: string;
}

/** How fast pods are added and taken away. */
export interface QueueScalerSpecBehavior {
  /** The larger of maxPods and maxPercent counts. */
  readonly scaleUp: QueueScalerSpecBehaviorScaleUp;
  /** Slower than adding, since a pod that is missed costs more than one that is idle. */
  readonly scaleDown: QueueScalerSpecBehaviorScaleDown;
}

/** The larger of maxPods and maxPercent counts. */
export interface QueueScalerSpecBehaviorScaleUp {
  /** Pods are added up to the least that was wanted during so many seconds. */
  readonly stabilizationWindowSeconds: number;
  /** Most pods to add in a period. */
  readonly maxPods: number;
  /** Most pods to add in a period, in percent of those that were there. */
  readonly maxPercent: number;
  /** Length of a period. */
  readonly periodSeconds: number;
}

/** Slower than adding, since a pod that is missed costs more than one that is idle. */
export interface QueueScalerSpecBehaviorScaleDown {
  /** Pods are taken away down to the most that was wanted during so many seconds. */
  readonly stabilizationWindowSeconds: number;
  /** Most pods to take away in a period. */
  readonly maxPods: number;
  /** Length of a period. */
  readonly periodSeconds: number;
}

/** What is done when the queues cannot be read. */
export interface QueueScalerSpecFallback {
  /** How many polls in a row must have failed; until then the pods stay as they are. */
  readonly failureThreshold: number;
  /** Hold: the pods stay as they are. AtLeast: there are at least so many. Static: there are exactly so many, but none is taken away unless protectBusyPods is Off. */
  readonly behavior: 'Hold' | 'Static' | 'AtLeast';
  /** For Static and AtLeast. */
  readonly replicas?: number;
}

/** What the operator saw and did. It is written when something changes, not at every poll. */
export interface QueueScalerStatus {
  /** The generation of the spec that this is about. */
  readonly observedGeneration?: number;
  /** Pods that the Deployment has. */
  readonly currentReplicas?: number;
  /** Pods that it should have now, after all limits. */
  readonly desiredReplicas?: number;
  /** Pods that hold an active job. */
  readonly busyReplicas?: number;
  /** Jobs of all queues that a worker could begin now. */
  readonly backlog?: number;
  /** What is in each queue. */
  readonly queues?: readonly QueueScalerStatusQueue[];
  /** When all of this was seen; later polls that saw the same are not written. */
  readonly lastObservedTime?: string;
  /** When jobs were last seen waiting or active; while Active is true, when that was last written. */
  readonly lastActiveTime?: string;
  /** When the number of pods was last changed. */
  readonly lastScaleTime?: string;
  /** Why. */
  readonly lastScaleReason?: string;
  /** Polls in a row that did not find out everything, counted up to fallback.failureThreshold. */
  readonly consecutiveFailures?: number;
  /** Ready, Active, ScalingLimited, FallbackActive, Suspended and QueuesFound. */
  readonly conditions?: readonly QueueScalerStatusCondition[];
}

/** What is in a queue; counts are left out where they are not known. */
export interface QueueScalerStatusQueue {
  /** Of the queue. */
  readonly name: string;
  /** Whether the queue could be read and has ever been opened. */
  readonly found: boolean;
  /** The library that opened the queue last, such as bullmq:6.7.0. The layouts of BullMQ 5 and 6 are known; another one makes the queue unknown. */
  readonly version?: string;
  /** Whether its waiting jobs are kept back. */
  readonly paused?: boolean;
  /** Jobs without a priority that wait. */
  readonly waiting?: number;
  /** Jobs with a priority that wait. */
  readonly prioritized?: number;
  /** Jobs that wait for their time, those that are due among them. */
  readonly delayed?: number;
  /** Delayed jobs that are due within lookaheadSeconds. */
  readonly dueDelayed?: number;
  /** Jobs that are being worked on, or that a worker has died with. */
  readonly active?: number;
  /** Jobs that wait for others. */
  readonly waitingChildren?: number;
  /** Age of the job that is next, at lastObservedTime. */
  readonly oldestWaitSeconds?: number;
}

/** As Kubernetes defines conditions. */
export interface QueueScalerStatusCondition {
  /** What it is about. */
  readonly type: string;
  /** Whether it is so. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** The generation of the spec that it was found for. */
  readonly observedGeneration?: number;
  /** When the status last changed. */
  readonly lastTransitionTime: string;
  /** Why, as a constant. */
  readonly reason: string;
  /** Why, for people. */
  readonly message: string;
}
