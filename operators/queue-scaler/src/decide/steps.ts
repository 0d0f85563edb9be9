import type { QueueScalerSpec } from '../queueScaler.ts';
import type { History } from './history.ts';
import { backlogOf, isActive, type Observation } from './observation.ts';

/** Why a step is as long as it is. */
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

/** How far the number of pods goes now. */
export interface Step {
  readonly replicas: number;
  readonly reason: StepReason;
}

/** What a step depends on. */
interface StepInput {
  readonly spec: QueueScalerSpec;
  readonly observation: Observation;
  readonly history: History;
  /** How many pods are wanted, which is not how many there are. */
  readonly aim: number;
  readonly now: number;
}

/** Up towards `aim` as far as may be now; to the minimum at once. */
export const raise = ({ spec, observation, history, aim, now }: StepInput): Step => {
  const { currentReplicas: current } = observation;
  const { stabilizationWindowSeconds, maxPods, maxPercent, periodSeconds } = spec.behavior.scaleUp;
  const added = changes(history, periodSeconds, now).filter((change) => change > 0);
  const atBegin = current - sum(added);
  const limit = atBegin + Math.max(maxPods, Math.ceil((atBegin * maxPercent) / 100));
  const stable = Math.min(aim, ...within(history.wanted, stabilizationWindowSeconds, now));
  const replicas = Math.max(current, spec.minReplicas, Math.min(stable, limit));
  if (replicas === aim)
    return { replicas, reason: aim === spec.minReplicas ? 'BelowMinReplicas' : 'BacklogAboveCapacity' };
  return { replicas, reason: stable < aim && stable <= limit ? 'ScaleUpStabilized' : 'ScaleUpLimit' };
};

/** Down towards `aim` as far as may be now. */
export const lower = (input: StepInput): Step => {
  const { observation, history, aim } = input;
  const { currentReplicas: current, rollout } = observation;
  // A rollout takes pods of its own choice away: to take more at the same time would leave fewer at work than are wanted. One that is stuck takes none.
  if (rollout === 'progressing') return { replicas: current, reason: 'RolloutInProgress' };
  if (history.backlog !== undefined && backlogOf(observation) > history.backlog)
    return { replicas: current, reason: 'BacklogGrowing' };
  const aimed: Step = { replicas: aim, reason: 'BacklogDrained' };
  const { replicas, reason } = floors(input).reduce(
    (highest, floor) => (floor.replicas > highest.replicas ? floor : highest),
    aimed,
  );
  return { replicas: Math.min(replicas, current), reason };
};

/** Numbers of pods that none of the steps down may pass. */
const floors = ({ spec, observation, history, now }: StepInput): readonly Step[] => {
  const { currentReplicas: current } = observation;
  const { stabilizationWindowSeconds, maxPods, periodSeconds } = spec.behavior.scaleDown;
  const removed = changes(history, periodSeconds, now).filter((change) => change < 0);
  const isCoolingDown = isActive(observation) || now - history.lastActiveAt < spec.cooldownSeconds * 1_000;
  return [
    { reason: 'BusyPods', replicas: busyFloor(spec, observation) },
    { reason: 'CoolingDown', replicas: isCoolingDown ? 1 : 0 },
    {
      reason: 'ScaleDownStabilized',
      replicas: Math.max(0, ...within([...history.wanted, ...history.held], stabilizationWindowSeconds, now)),
    },
    { reason: 'ScaleDownLimit', replicas: current - sum(removed) - maxPods },
  ];
};

/** How many pods stay because they may be in the middle of a job. */
const busyFloor = ({ protectBusyPods }: QueueScalerSpec, observation: Observation): number => {
  const { currentReplicas: current, busyPods, busyUnreadyPods, idlePods, unattributedJobs, rollout } = observation;
  switch (protectBusyPods) {
    case 'Off':
      return 0;
    case 'Prefer':
      return busyPods;
    case 'Strict': {
      // Kubernetes may take any of the pods that look idle, and so the one that holds such a job. In the middle of a rollout it shrinks both
      // ReplicaSets, and heeds deletion costs within each of them only.
      const isAnyoneAtRisk = busyUnreadyPods > 0 || unattributedJobs > 0 || (busyPods > 0 && rollout === 'stuck');
      const dispensable = isAnyoneAtRisk ? 0 : idlePods;
      return Math.max(busyPods, current - dispensable);
    }
  }
};

const within = (counts: History['wanted'], seconds: number, now: number): readonly number[] =>
  counts.filter(({ at }) => at > now - seconds * 1_000).map(({ replicas }) => replicas);

const changes = ({ scalings }: History, seconds: number, now: number): readonly number[] =>
  scalings.filter(({ at }) => at > now - seconds * 1_000).map(({ change }) => change);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
