import type { QueueScalerSpec } from '../api/queueScaler.ts';
import type { History } from './history.ts';
import { countBacklog, isActive, countRunnable, type Observation } from './observation.ts';
import { scaleDown, scaleUp, type Step, type StepReason } from './steps.ts';

/** Reason for the number of replicas. */
export type DecisionReason =
  | StepReason
  | 'Suspended'
  | 'QueuesUnknown'
  | 'FallbackHold'
  | 'FallbackStatic'
  | 'FallbackAtLeast'
  | 'AtRecommendation'
  | 'WithinTolerance';

/** Replicas to set, with the reason. */
export interface Decision {
  readonly replicas: number;
  readonly reason: DecisionReason;
  /** Recommendation within minReplicas and maxReplicas. Undefined while a queue is unknown. */
  readonly recommended: number | undefined;
  /** Bound that limited the recommendation. */
  readonly bound: 'minReplicas' | 'maxReplicas' | undefined;
}

/**
 * Decides on the number of replicas.
 *
 * 1. Each queue recommends one replica per `jobsPerReplica` runnable or active jobs. The result is the highest
 * recommendation, but at least the number of busy pods, unless `protectBusyPods` is Off.
 * 2. While a queue is unknown, the target may be scaled up, by the other queues or to minReplicas, but not down. The
 * fallback applies from the `failureThreshold`th poll on. Only a Static fallback without protection scales down.
 * 3. A recommendation within the tolerance changes nothing.
 * 4. Everything else is a step (`steps.ts`): scaling up is fast, scaling down is slow and keeps protected busy pods.
 */
export const decide = (spec: QueueScalerSpec, observation: Observation, history: History, now: number): Decision => {
  const { currentReplicas: current, unknownQueues } = observation;
  const proposed = getUnboundedRecommendation(spec, observation);
  const recommended = Math.min(Math.max(proposed, spec.minReplicas), spec.maxReplicas);
  if (unknownQueues.length > 0) {
    // Without the unknown queues, the recommendation is only a lower bound.
    const unknown = { recommended: undefined, bound: undefined };
    if (spec.suspend) return { ...unknown, replicas: current, reason: 'Suspended' };
    const { desired, reason } = getFallbackReplicas(spec, current, history);
    const step = { spec, observation, history, desired: Math.max(desired, recommended), now };
    if (step.desired > current) return { ...unknown, replicas: scaleUp(step).replicas, reason };
    const mayScaleDown = spec.protectBusyPods === 'Off' && step.desired < current;
    return { ...unknown, replicas: mayScaleDown ? scaleDown(step).replicas : current, reason };
  }
  const bound = proposed > spec.maxReplicas ? 'maxReplicas' : proposed < spec.minReplicas ? 'minReplicas' : undefined;
  return { ...stepTo(recommended, spec, observation, history, now), recommended, bound };
};

const stepTo = (
  desired: number,
  spec: QueueScalerSpec,
  observation: Observation,
  history: History,
  now: number,
): Step | { replicas: number; reason: DecisionReason } => {
  const { currentReplicas: current } = observation;
  if (spec.suspend) return { replicas: current, reason: 'Suspended' };
  if (desired === current) return { replicas: current, reason: 'AtRecommendation' };
  if (isTolerable(desired, spec, observation)) return { replicas: current, reason: 'WithinTolerance' };
  return (desired > current ? scaleUp : scaleDown)({ spec, observation, history, desired, now });
};

/** Returns the recommendation before minReplicas and maxReplicas are applied. */
const getUnboundedRecommendation = (spec: QueueScalerSpec, observation: Observation): number => {
  const { busyPods, currentReplicas, rollout } = observation;
  const proposed = getHighestRecommendation(spec, observation);
  if (spec.protectBusyPods === 'Off') return proposed;
  // During a rollout more pods than `currentReplicas` exist for a while. They must not raise the recommendation.
  return Math.max(proposed, rollout === 'none' ? busyPods : Math.min(busyPods, currentReplicas));
};

/** Returns the highest recommendation of all queues. They are not added up, because each pod pulls from all queues. */
const getHighestRecommendation = (spec: QueueScalerSpec, observation: Observation): number => {
  const { queues, busyPods, currentReplicas, unattributedJobs } = observation;
  const jobsPerReplicaByQueue = new Map(spec.queues.map(({ name, jobsPerReplica }) => [name, jobsPerReplica]));
  const recommendations = queues.map((queue) =>
    Math.ceil((countRunnable(queue) + queue.active) / (jobsPerReplicaByQueue.get(queue.name) ?? 1)),
  );
  const proposed = Math.max(0, ...recommendations);
  // When no job is runnable and existing pods process every active one, an additional pod would find no job.
  const isAllInProgress = busyPods > 0 && unattributedJobs === 0 && countBacklog(observation) === 0;
  return isAllInProgress ? Math.min(proposed, currentReplicas) : proposed;
};

/** Returns the replicas while a queue is unknown. */
const getFallbackReplicas = (
  { fallback }: QueueScalerSpec,
  current: number,
  { failures }: History,
): { readonly desired: number; readonly reason: DecisionReason } => {
  if (failures + 1 < fallback.failureThreshold) return { desired: current, reason: 'QueuesUnknown' };
  switch (fallback.behavior) {
    case 'Hold':
      return { desired: current, reason: 'FallbackHold' };
    case 'Static':
      return { desired: fallback.replicas ?? current, reason: 'FallbackStatic' };
    case 'AtLeast':
      return { desired: Math.max(fallback.replicas ?? 0, current), reason: 'FallbackAtLeast' };
  }
};

/**
 * Returns true if the difference is within the tolerance. The tolerance does not apply while the queues are empty:
 * otherwise the last pods above the minimum would never be removed. It also does not apply while the current replicas
 * are fewer than the minimum or the busy pods, or more than the maximum.
 */
const isTolerable = (desired: number, spec: QueueScalerSpec, observation: Observation): boolean => {
  const { currentReplicas: current, busyPods } = observation;
  return (
    isActive(observation) &&
    current >= Math.max(spec.minReplicas, busyPods) &&
    current <= spec.maxReplicas &&
    Math.abs(desired - current) * 100 <= current * spec.tolerancePercent
  );
};
