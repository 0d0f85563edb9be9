import type { Decision, DecisionReason } from '../decide/decide.ts';
import { isActive, type Observation } from '../decide/observation.ts';
import type { QueueScalerSpec, QueueScalerStatusCondition } from '../api/queueScaler.ts';

/** Result of a reconcile that the conditions describe. */
export interface Findings {
  readonly spec: QueueScalerSpec;
  /** Undefined without a target, like `decision`. */
  readonly observation: Observation | undefined;
  readonly decision: Decision | undefined;
  /** The other object that scales the target, if any. */
  readonly conflict: string | undefined;
}

export const conditionTypes = [
  'Ready',
  'Active',
  'ScalingLimited',
  'FallbackActive',
  'Suspended',
  'QueuesFound',
] as const;

export type ConditionType = (typeof conditionTypes)[number];

/** A condition without its times. Reasons are constants, and messages contain no number that changes between polls. */
export type Finding = Pick<QueueScalerStatusCondition, 'status' | 'reason' | 'message'>;

export const findConditions = (findings: Findings): Readonly<Record<ConditionType, Finding>> => ({
  Ready: ready(findings),
  Active: active(findings),
  ScalingLimited: scalingLimited(findings),
  FallbackActive: fallbackActive(findings),
  Suspended: findings.spec.suspend
    ? { status: 'True', reason: 'Suspended', message: 'scaling is suspended by spec.suspend' }
    : { status: 'False', reason: 'NotSuspended', message: 'scaling is not suspended' },
  QueuesFound: queuesFound(findings),
});

const ready = ({ spec, observation, conflict }: Findings): Finding => {
  const { name } = spec.scaleTargetRef;
  if (observation === undefined)
    return {
      status: 'False',
      reason: 'TargetNotFound',
      message: `the scale target Deployment ${name} does not exist, or the operator is not allowed to get it`,
    };
  if (conflict !== undefined)
    return { status: 'False', reason: 'Conflict', message: `${conflict}: the target is not scaled` };
  if (observation.unknownQueues.length > 0)
    return { status: 'False', reason: 'QueuesUnknown', message: 'not all queues could be read' };
  return { status: 'True', reason: 'Reconciled', message: `Deployment ${name} is scaled by its queues` };
};

const active = ({ observation }: Findings): Finding => {
  if (observation !== undefined && isActive(observation))
    return { status: 'True', reason: 'JobsFound', message: 'jobs are waiting or active' };
  if (observation === undefined || observation.unknownQueues.length > 0)
    return { status: 'Unknown', reason: 'QueuesUnknown', message: 'the state of the queues is unknown' };
  return { status: 'False', reason: 'NoJobsFound', message: 'no job is waiting or active' };
};

/** Messages of the decisions that differ from the recommendation. */
const limits: Partial<Record<DecisionReason, string>> = {
  WithinTolerance: 'the recommendation is within tolerancePercent of the current replicas',
  ScaleUpStabilized: 'a recent recommendation was lower than the current one, scale up is delayed',
  ScaleUpLimit: 'scale up is limited by behavior.scaleUp',
  RolloutInProgress: 'scale down is delayed while a rollout of the target makes progress',
  BacklogGrowing: 'scale down is delayed while the backlog grows',
  ScaleDownStabilized: 'a recent recommendation was higher than the current one, scale down is delayed',
  ScaleDownLimit: 'scale down is limited by behavior.scaleDown',
  BusyPods: 'scale down is limited by protectBusyPods',
  CoolingDown: 'scale to zero is delayed by cooldownSeconds',
};

const scalingLimited = ({ decision }: Findings): Finding => {
  const limit = decision && limits[decision.reason];
  if (decision !== undefined && limit !== undefined) return { status: 'True', reason: decision.reason, message: limit };
  switch (decision?.bound) {
    case 'maxReplicas':
      return { status: 'True', reason: 'TooManyReplicas', message: 'the recommendation is above maxReplicas' };
    case 'minReplicas':
      return { status: 'True', reason: 'TooFewReplicas', message: 'the recommendation is below minReplicas' };
    case undefined:
      return {
        status: 'False',
        reason: 'DesiredWithinRange',
        message: 'the desired replicas equal the recommendation',
      };
  }
};

const fallbackActive = ({ decision }: Findings): Finding => {
  const reason = decision?.reason ?? '';
  if (!reason.startsWith('Fallback'))
    return {
      status: 'False',
      reason: 'FallbackInactive',
      message: 'all queues are known, or consecutiveFailures is below fallback.failureThreshold',
    };
  const effect = reason === 'FallbackHold' ? 'the target is not scaled' : 'fallback.replicas applies';
  return { status: 'True', reason, message: `the queues are unknown: ${effect}` };
};

const queuesFound = ({ observation }: Findings): Finding => {
  const unknown = observation?.unknownQueues ?? [];
  if (observation === undefined)
    return { status: 'Unknown', reason: 'TargetNotFound', message: 'the queues are not read without a scale target' };
  if (unknown.length === 0) return { status: 'True', reason: 'QueuesFound', message: 'all queues were read' };
  return {
    status: 'False',
    reason: 'QueuesUnknown',
    message: unknown
      .map(({ name, reason }) => `${name}: ${reason}`)
      .join('; ')
      .slice(0, 1_000),
  };
};
