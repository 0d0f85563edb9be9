import type { QueueScalerSpec } from '../queueScaler.ts';
import type { History } from './history.ts';
import { backlogOf, isActive, runnableIn, type Observation } from './observation.ts';
import { scaleDown, scaleUp, type Step, type StepReason } from './steps.ts';

/** Why a decision has its number of pods. */
export type DecisionReason =
  | StepReason
  | 'Suspended'
  | 'QueuesUnknown'
  | 'FallbackHold'
  | 'FallbackStatic'
  | 'FallbackAtLeast'
  | 'AtRecommendation'
  | 'WithinTolerance';

/** The number of pods to set, and why. */
export interface Decision {
  readonly replicas: number;
  readonly reason: DecisionReason;
  /** The number of pods that the queues ask for, within the bounds; undefined where a queue is unknown. */
  readonly recommended: number | undefined;
  /** The bound that the queues ask to exceed. */
  readonly bound: 'minReplicas' | 'maxReplicas' | undefined;
}

/**
 * Decides on the number of pods.
 *
 * 1. Each queue asks for one pod per `jobsPerReplica` jobs that could begin or are active, and the queue that asks for most counts; never for
 *    fewer than are busy.
 * 2. An unknown queue never takes a pod away: the pods stay as they are, and from the `failureThreshold`th poll on the fallback applies.
 * 3. A recommendation within the tolerance changes nothing.
 * 4. Everything else is a step (`steps.ts`): scale up is fast, scale down is slow and never takes a pod that is at work.
 */
export const decide = (spec: QueueScalerSpec, observation: Observation, history: History, now: number): Decision => {
  const { currentReplicas: current, unknownQueues } = observation;
  const proposed = unboundedRecommendation(spec, observation);
  const recommended = Math.min(Math.max(proposed, spec.minReplicas), spec.maxReplicas);
  if (unknownQueues.length > 0) {
    // What some of the queues ask for is less than what all of them do.
    const unknown = { recommended: undefined, bound: undefined };
    if (spec.suspend) return { ...unknown, replicas: current, reason: 'Suspended' };
    const { desired, reason } = fallbackReplicas(spec, current, history);
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

/** How many pods the queues and the busy pods ask for, without the bounds. */
const unboundedRecommendation = (spec: QueueScalerSpec, observation: Observation): number => {
  const { busyPods, currentReplicas, rollout } = observation;
  const proposed = largestOfQueues(spec, observation);
  if (spec.protectBusyPods === 'Off') return proposed;
  // Pods that a rollout adds for a while are not counted: with them the rollout would add even more.
  return Math.max(proposed, rollout === 'none' ? busyPods : Math.min(busyPods, currentReplicas));
};

/** The most that one of the queues asks for: a pod pulls from all of them, so that they are not added up. */
const largestOfQueues = (spec: QueueScalerSpec, observation: Observation): number => {
  const { queues, busyPods, currentReplicas, unattributedJobs } = observation;
  const sizes = new Map(spec.queues.map(({ name, jobsPerReplica }) => [name, jobsPerReplica]));
  const each = queues.map((queue) => Math.ceil((runnableIn(queue) + queue.active) / (sizes.get(queue.name) ?? 1)));
  const proposed = Math.max(0, ...each);
  // Where nothing waits and pods that are there hold every active job, another one would find nothing to do.
  const isAllInHand = busyPods > 0 && unattributedJobs === 0 && backlogOf(observation) === 0;
  return isAllInHand ? Math.min(proposed, currentReplicas) : proposed;
};

/** The number of pods while a queue is unknown: a lower bound, and with `Static` an upper bound too. */
const fallbackReplicas = (
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

/** Whether the difference is within the tolerance. Never where the queues are empty, or the last pods above the minimum would stay for ever; nor outside the bounds. */
const isTolerable = (desired: number, spec: QueueScalerSpec, observation: Observation): boolean => {
  const { currentReplicas: current, busyPods } = observation;
  return (
    isActive(observation) &&
    current >= Math.max(spec.minReplicas, busyPods) &&
    current <= spec.maxReplicas &&
    Math.abs(desired - current) * 100 <= current * spec.tolerancePercent
  );
};
