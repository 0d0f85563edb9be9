import type { QueueScalerSpec } from '../queueScaler.ts';
import type { History } from './history.ts';
import { backlogOf, isActive, runnableIn, type Observation } from './observation.ts';
import { lower, raise, type Step, type StepReason } from './steps.ts';

/** Why there are to be so many pods. */
export type DecisionReason =
  | StepReason
  | 'Suspended'
  | 'QueuesUnknown'
  | 'FallbackHold'
  | 'FallbackStatic'
  | 'FallbackAtLeast'
  | 'AtRecommendation'
  | 'WithinTolerance';

/** How many pods there are to be, and why. */
export interface Decision {
  readonly replicas: number;
  readonly reason: DecisionReason;
  /** How many the queues ask for, within the bounds; undefined where that is not known. */
  readonly wanted: number | undefined;
  /** Which bound the queues ask to pass. */
  readonly bound: 'minReplicas' | 'maxReplicas' | undefined;
}

/**
 * Decides how many pods there are to be.
 *
 * 1. Each queue asks for one pod per `jobsPerReplica` jobs that could begin or are active, and the queue that asks for most counts; never for
 *    fewer than are busy.
 * 2. What is not known never takes a pod away: the pods stay as they are, and from the `failureThreshold`th poll on the fallback applies.
 * 3. What differs by no more than the tolerance stays.
 * 4. Everything else is a step (`steps.ts`): up at once, down late, and never to where a pod at work would go.
 */
export const decide = (spec: QueueScalerSpec, observation: Observation, history: History, now: number): Decision => {
  const { currentReplicas: current, unknownQueues } = observation;
  const asked = askedReplicas(spec, observation);
  const wanted = Math.min(Math.max(asked, spec.minReplicas), spec.maxReplicas);
  if (unknownQueues.length > 0) {
    // What some of the queues ask for is less than what all of them do.
    const unknown = { wanted: undefined, bound: undefined };
    if (spec.suspend) return { ...unknown, replicas: current, reason: 'Suspended' };
    const { aim, reason } = aimOfUnknown(spec, current, history);
    const step = { spec, observation, history, aim: Math.max(aim, wanted), now };
    if (step.aim > current) return { ...unknown, replicas: raise(step).replicas, reason };
    const mayLower = spec.protectBusyPods === 'Off' && step.aim < current;
    return { ...unknown, replicas: mayLower ? lower(step).replicas : current, reason };
  }
  const bound = asked > spec.maxReplicas ? 'maxReplicas' : asked < spec.minReplicas ? 'minReplicas' : undefined;
  return { ...stepTo(wanted, spec, observation, history, now), wanted, bound };
};

const stepTo = (
  aim: number,
  spec: QueueScalerSpec,
  observation: Observation,
  history: History,
  now: number,
): Step | { replicas: number; reason: DecisionReason } => {
  const { currentReplicas: current } = observation;
  if (spec.suspend) return { replicas: current, reason: 'Suspended' };
  if (aim === current) return { replicas: current, reason: 'AtRecommendation' };
  if (isTolerable(aim, spec, observation)) return { replicas: current, reason: 'WithinTolerance' };
  return (aim > current ? raise : lower)({ spec, observation, history, aim, now });
};

/** How many pods the queues ask for, whatever the bounds are. */
const askedReplicas = (spec: QueueScalerSpec, observation: Observation): number => {
  const { busyPods, currentReplicas, rollout } = observation;
  const asked = askedByQueues(spec, observation);
  if (spec.protectBusyPods === 'Off') return asked;
  // What a rollout adds for a while is not to be asked for, or it would add the more.
  return Math.max(asked, rollout === 'none' ? busyPods : Math.min(busyPods, currentReplicas));
};

/** The most that one of the queues asks for: a pod pulls from all of them, so that they are not added up. */
const askedByQueues = (spec: QueueScalerSpec, observation: Observation): number => {
  const { queues, busyPods, currentReplicas, unattributedJobs } = observation;
  const sizes = new Map(spec.queues.map(({ name, jobsPerReplica }) => [name, jobsPerReplica]));
  const each = queues.map((queue) => Math.ceil((runnableIn(queue) + queue.active) / (sizes.get(queue.name) ?? 1)));
  const asked = Math.max(0, ...each);
  // Where nothing waits and pods that are there hold every active job, another one would find nothing to do.
  const isAllInHand = busyPods > 0 && unattributedJobs === 0 && backlogOf(observation) === 0;
  return isAllInHand ? Math.min(asked, currentReplicas) : asked;
};

/** How many pods there are to be at least, as long as nobody knows what is in the queues; with `Static` at most, too. */
const aimOfUnknown = (
  { fallback }: QueueScalerSpec,
  current: number,
  { failures }: History,
): { readonly aim: number; readonly reason: DecisionReason } => {
  if (failures + 1 < fallback.failureThreshold) return { aim: current, reason: 'QueuesUnknown' };
  switch (fallback.behavior) {
    case 'Hold':
      return { aim: current, reason: 'FallbackHold' };
    case 'Static':
      return { aim: fallback.replicas ?? current, reason: 'FallbackStatic' };
    case 'AtLeast':
      return { aim: Math.max(fallback.replicas ?? 0, current), reason: 'FallbackAtLeast' };
  }
};

/** Not where there is nothing to do, or the last pods above the minimum would stay for ever; nor outside of the bounds. */
const isTolerable = (aim: number, spec: QueueScalerSpec, observation: Observation): boolean => {
  const { currentReplicas: current, busyPods } = observation;
  return (
    isActive(observation) &&
    current >= Math.max(spec.minReplicas, busyPods) &&
    current <= spec.maxReplicas &&
    Math.abs(aim - current) * 100 <= current * spec.tolerancePercent
  );
};
