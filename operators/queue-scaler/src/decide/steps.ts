import type { QueueScalerSpec } from '../api/queueScaler.ts';
import type { History } from './history.ts';
import { countBacklog, isActive, type Observation } from './observation.ts';

/** Reason for the size of a step, such as the limit that determined it. */
export type StepReason =
  | 'BelowMinReplicas'
  | 'BacklogAboveCapacity'
  | 'ScaleUpStabilized'
  | 'ScaleUpLimit'
  | 'RolloutInProgress'
  | 'BacklogGrowing'
  | 'ScaleDownStabilized'
  | 'ScaleDownLimit'
  | 'BusyPods'
  | 'CoolingDown'
  | 'BacklogDrained';

export interface Step {
  readonly replicas: number;
  readonly reason: StepReason;
}

interface StepInput {
  readonly spec: QueueScalerSpec;
  readonly observation: Observation;
  readonly history: History;
  /** Number of replicas to move towards. */
  readonly desired: number;
  readonly now: number;
}

/** Scales up towards `desired`, as far as the limits allow now. Up to minReplicas no limits apply. */
export const scaleUp = ({ spec, observation, history, desired, now }: StepInput): Step => {
  const { currentReplicas: current } = observation;
  const { stabilizationWindowSeconds, maxPods, maxPercent, periodSeconds } = spec.behavior.scaleUp;
  const added = listChanges(history, periodSeconds, now).filter((change) => change > 0);
  const atPeriodStart = current - sum(added);
  const limit = atPeriodStart + Math.max(maxPods, Math.ceil((atPeriodStart * maxPercent) / 100));
  const stable = Math.min(desired, ...listReplicas(history.recommendations, stabilizationWindowSeconds, now));
  const replicas = Math.max(current, spec.minReplicas, Math.min(stable, limit));
  if (replicas === desired)
    return { replicas, reason: desired === spec.minReplicas ? 'BelowMinReplicas' : 'BacklogAboveCapacity' };
  return { replicas, reason: stable < desired && stable <= limit ? 'ScaleUpStabilized' : 'ScaleUpLimit' };
};

/** Scales down towards `desired`, as far as the limits allow now. */
export const scaleDown = (input: StepInput): Step => {
  const { observation, history, desired } = input;
  const { currentReplicas: current, rollout } = observation;
  // A rollout removes pods itself. Scaling down at the same time would leave fewer pods than recommended. A stuck
  // rollout removes none.
  if (rollout === 'progressing') return { replicas: current, reason: 'RolloutInProgress' };
  if (history.backlog !== undefined && countBacklog(observation) > history.backlog)
    return { replicas: current, reason: 'BacklogGrowing' };
  const drained: Step = { replicas: desired, reason: 'BacklogDrained' };
  const { replicas, reason } = listFloors(input).reduce(
    (highest, floor) => (floor.replicas > highest.replicas ? floor : highest),
    drained,
  );
  return { replicas: Math.min(replicas, current), reason };
};

/** Returns the lower bounds for scaling down. */
const listFloors = ({ spec, observation, history, now }: StepInput): readonly Step[] => {
  const { currentReplicas: current } = observation;
  const { stabilizationWindowSeconds, maxPods, periodSeconds } = spec.behavior.scaleDown;
  const removed = listChanges(history, periodSeconds, now).filter((change) => change < 0);
  const isCoolingDown = isActive(observation) || now - history.lastActiveAt < spec.cooldownSeconds * 1_000;
  return [
    { reason: 'BusyPods', replicas: getBusyFloor(spec, observation) },
    { reason: 'CoolingDown', replicas: isCoolingDown ? 1 : 0 },
    {
      reason: 'ScaleDownStabilized',
      replicas: Math.max(
        0,
        ...listReplicas([...history.recommendations, ...history.held], stabilizationWindowSeconds, now),
      ),
    },
    { reason: 'ScaleDownLimit', replicas: current - sum(removed) - maxPods },
  ];
};

/** Returns the number of pods that must stay, because they are or may be processing a job. */
const getBusyFloor = ({ protectBusyPods }: QueueScalerSpec, observation: Observation): number => {
  const { currentReplicas: current, busyPods, busyUnreadyPods, idlePods, unattributedJobs, rollout } = observation;
  switch (protectBusyPods) {
    case 'Off':
      return 0;
    case 'Prefer':
      return busyPods;
    case 'Strict': {
      // Kubernetes removes unready pods first, and a pod with an unattributed job looks idle. During a rollout it
      // scales both ReplicaSets down and compares deletion costs only within each of them.
      const isBusyPodAtRisk = busyUnreadyPods > 0 || unattributedJobs > 0 || (busyPods > 0 && rollout === 'stuck');
      const removable = isBusyPodAtRisk ? 0 : idlePods;
      return Math.max(busyPods, current - removable);
    }
  }
};

const listReplicas = (counts: History['recommendations'], seconds: number, now: number): readonly number[] =>
  counts.filter(({ at }) => at > now - seconds * 1_000).map(({ replicas }) => replicas);

const listChanges = ({ scalings }: History, seconds: number, now: number): readonly number[] =>
  scalings.filter(({ at }) => at > now - seconds * 1_000).map(({ change }) => change);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
