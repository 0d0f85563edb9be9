// Generated from charts/hearth/crds/queueScalers.yaml by npm run crd:types -w operators/queue-scaler: change that file, not this one.

/** The API group, version and resource name of QueueScalers. */
export const queueScalerApi = {
  group: 'scaling.hearth.photos',
  version: 'v1alpha1',
  plural: 'queuescalers',
} as const;

/** The desired behaviour - the scale target, the queues and the limits. */
export interface QueueScalerSpec {
  /** The scale target, a Deployment in the same namespace. */
  readonly scaleTargetRef: QueueScalerSpecScaleTargetRef;
  /** The BullMQ queues that the pods of the target pull jobs from. */
  readonly queues: readonly QueueScalerSpecQueue[];
  /** Redis or Valkey that holds the queues. Defaults to the one that the operator is configured with. */
  readonly redis?: QueueScalerSpecRedis;
  /** Lower limit for the number of replicas. With 0 the target is scaled to zero while the queues are idle. */
  readonly minReplicas: number;
  /** Upper limit for the number of replicas. */
  readonly maxReplicas: number;
  /** Interval between two reconciliations, in seconds. */
  readonly pollIntervalSeconds: number;
  /** Delayed jobs that are due within this many seconds count as waiting. */
  readonly lookaheadSeconds: number;
  /** Seconds without waiting or active jobs before the target is scaled to zero. */
  readonly cooldownSeconds: number;
  /** Tolerance, in percent of the current replicas, within which the target is not scaled. */
  readonly tolerancePercent: number;
  /** Scaling policies for the scale up and scale down directions. */
  readonly behavior: QueueScalerSpecBehavior;
  /** Protection of pods that process a job. Prefer: the target is not scaled below the number of busy pods, and idle pods are removed first. Strict: in addition, only as many replicas are removed as pods are known to be idle. Off: no protection. Workers have to be named after their pod. */
  readonly protectBusyPods: 'Prefer' | 'Strict' | 'Off';
  /** Behaviour while the queues cannot be read. */
  readonly fallback: QueueScalerSpecFallback;
  /** Suspends scaling. The status is still updated. */
  readonly suspend: boolean;
}

/** The scale target, a Deployment in the same namespace. */
export interface QueueScalerSpecScaleTargetRef {
  /** API version of the target. */
  readonly apiVersion: 'apps/v1';
  /** Kind of the target. */
  readonly kind: 'Deployment';
  /** Name of the target. */
  readonly name: string;
}

/** A queue and its target value. With several queues the highest recommendation is used. */
export interface QueueScalerSpecQueue {
  /** Name of the queue in BullMQ. */
  readonly name: string;
  /** Prefix of the queue's keys in Redis. */
  readonly prefix: string;
  /** Target number of waiting and active jobs of this queue per replica. */
  readonly jobsPerReplica: number;
}

/** Redis or Valkey that holds the queues. Defaults to the one that the operator is configured with. */
export interface QueueScalerSpecRedis {
  /** Key of a Secret in the same namespace with a redis:// or rediss:// URL. */
  readonly secretRef: QueueScalerSpecRedisSecretRef;
}

/** Key of a Secret in the same namespace with a redis:// or rediss:// URL. */
export interface QueueScalerSpecRedisSecretRef {
  /** Name of the Secret. */
  readonly name: string;
  /** Key in the Secret. */
  readonly key: string;
}

/** Scaling policies for the scale up and scale down directions. */
export interface QueueScalerSpecBehavior {
  /** Scaling policy for scaling up. The larger of maxPods and maxPercent applies. */
  readonly scaleUp: QueueScalerSpecBehaviorScaleUp;
  /** Scaling policy for scaling down. */
  readonly scaleDown: QueueScalerSpecBehaviorScaleDown;
}

/** Scaling policy for scaling up. The larger of maxPods and maxPercent applies. */
export interface QueueScalerSpecBehaviorScaleUp {
  /** Time window in seconds; scaling up uses its lowest recommendation. */
  readonly stabilizationWindowSeconds: number;
  /** Maximum number of replicas that are added per period. */
  readonly maxPods: number;
  /** Maximum number of replicas that are added per period, in percent of the replicas at its start. */
  readonly maxPercent: number;
  /** Length of the period, in seconds. */
  readonly periodSeconds: number;
}

/** Scaling policy for scaling down. */
export interface QueueScalerSpecBehaviorScaleDown {
  /** Time window in seconds; scaling down uses its highest recommendation. */
  readonly stabilizationWindowSeconds: number;
  /** Maximum number of replicas that are removed per period. */
  readonly maxPods: number;
  /** Length of the period, in seconds. */
  readonly periodSeconds: number;
}

/** Behaviour while the queues cannot be read. */
export interface QueueScalerSpecFallback {
  /** Number of consecutive failures after which the fallback applies. Until then the target is not scaled down. */
  readonly failureThreshold: number;
  /** Hold: the target is not scaled. AtLeast: the target is scaled up to replicas. Static: the target is scaled to replicas, but down only if protectBusyPods is Off. */
  readonly behavior: 'Hold' | 'Static' | 'AtLeast';
  /** Number of replicas for Static and AtLeast. */
  readonly replicas?: number;
}

/** The observed state. It is updated when something changes, not with every reconciliation. */
export interface QueueScalerStatus {
  /** Most recent generation that was observed. */
  readonly observedGeneration?: number;
  /** Current number of replicas of the target. */
  readonly currentReplicas?: number;
  /** Desired number of replicas, after limits and policies. */
  readonly desiredReplicas?: number;
  /** Number of replicas that hold an active job. */
  readonly busyReplicas?: number;
  /** Number of jobs of all queues that are ready to run. */
  readonly backlog?: number;
  /** State of each queue. */
  readonly queues?: readonly QueueScalerStatusQueue[];
  /** Last time the status changed. Reconciliations that observe the same do not update it. */
  readonly lastObservedTime?: string;
  /** Last time a job was waiting or active; while Active is True, the last time that this was written. */
  readonly lastActiveTime?: string;
  /** Last time the target was scaled. */
  readonly lastScaleTime?: string;
  /** Reason for the last scale up or scale down. */
  readonly lastScaleReason?: string;
  /** Number of consecutive reconciliations that could not read every queue, up to fallback.failureThreshold. */
  readonly consecutiveFailures?: number;
  /** Conditions of type Ready, Active, ScalingLimited, FallbackActive, Suspended and QueuesFound. */
  readonly conditions?: readonly QueueScalerStatusCondition[];
}

/** State of a queue. Counts are omitted while they are unknown. */
export interface QueueScalerStatusQueue {
  /** Name of the queue. */
  readonly name: string;
  /** True if the queue exists and could be read. */
  readonly found: boolean;
  /** Library that last opened the queue, such as bullmq:6.7.0. The layouts of BullMQ 5 and 6 are supported. */
  readonly version?: string;
  /** True if the queue is paused. */
  readonly paused?: boolean;
  /** Number of waiting jobs without a priority. */
  readonly waiting?: number;
  /** Number of waiting jobs with a priority. */
  readonly prioritized?: number;
  /** Number of delayed jobs, including those that are due. */
  readonly delayed?: number;
  /** Number of delayed jobs that are due within lookaheadSeconds. */
  readonly dueDelayed?: number;
  /** Number of active jobs, including those of workers that died. */
  readonly active?: number;
  /** Number of jobs that wait for their children. */
  readonly waitingChildren?: number;
  /** Age of the next job at lastObservedTime, in seconds. */
  readonly oldestWaitSeconds?: number;
}

/** A condition as defined by the Kubernetes API conventions. */
export interface QueueScalerStatusCondition {
  /** Type of the condition. */
  readonly type: string;
  /** Status of the condition. */
  readonly status: 'True' | 'False' | 'Unknown';
  /** Generation that the condition was set for. */
  readonly observedGeneration?: number;
  /** Last time the condition changed from one status to another. */
  readonly lastTransitionTime: string;
  /** Reason for the last transition, as one word in CamelCase. */
  readonly reason: string;
  /** Human readable details about the last transition. */
  readonly message: string;
}
