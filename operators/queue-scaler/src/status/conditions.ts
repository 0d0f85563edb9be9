import type { Decision, DecisionReason } from '../decide/decide.ts';
import { isActive, type Observation } from '../decide/observation.ts';
import type { QueueScalerSpec, QueueScalerStatusCondition } from '../queueScaler.ts';

/** What there is to say about a QueueScaler. */
export interface Findings {
  readonly spec: QueueScalerSpec;
  /** Undefined where there is no target, as `decision` is. */
  readonly observation: Observation | undefined;
  readonly decision: Decision | undefined;
  /** Who else scales the target. */
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

/** A condition without the moments. Reasons are constants; messages say no number that changes from poll to poll. */
export type Finding = Pick<QueueScalerStatusCondition, 'status' | 'reason' | 'message'>;

/** What each condition says now. */
export const findConditions = (findings: Findings): Readonly<Record<ConditionType, Finding>> => ({
  Ready: ready(findings),
  Active: active(findings),
  ScalingLimited: scalingLimited(findings),
  FallbackActive: fallbackActive(findings),
  Suspended: findings.spec.suspend
    ? { status: 'True', reason: 'Suspended', message: 'spec.suspend is true: the pods are left alone' }
    : { status: 'False', reason: 'NotSuspended', message: 'spec.suspend is false' },
  QueuesFound: queuesFound(findings),
});

const ready = ({ spec, observation, conflict }: Findings): Finding => {
  const { name } = spec.scaleTargetRef;
  if (observation === undefined)
    return {
      status: 'False',
      reason: 'TargetNotFound',
      message: `there is no Deployment ${name}, or it may not be read`,
    };
  if (conflict !== undefined)
    return { status: 'False', reason: 'Conflict', message: `${conflict}: nothing is written` };
  if (observation.unknownQueues.length > 0)
    return { status: 'False', reason: 'QueuesUnknown', message: 'not every queue could be read' };
  return { status: 'True', reason: 'Scaling', message: `Deployment ${name} follows its queues` };
};

const active = ({ observation }: Findings): Finding => {
  if (observation !== undefined && isActive(observation))
    return { status: 'True', reason: 'JobsFound', message: 'jobs wait or are being worked on' };
  if (observation === undefined || observation.unknownQueues.length > 0)
    return { status: 'Unknown', reason: 'QueuesUnknown', message: 'nobody knows whether there is anything to do' };
  return { status: 'False', reason: 'NothingToDo', message: 'no job waits and none is being worked on' };
};

/** Decisions that stop short of what the queues ask for. */
const limits: Partial<Record<DecisionReason, string>> = {
  WithinTolerance: 'the difference is within tolerancePercent',
  ScaleUpStabilized: 'less was wanted within the stabilization window',
  ScaleUpLimit: 'no more pods may be added in this period',
  RollingOut: 'no pod is taken away while a rollout makes progress',
  BacklogGrowing: 'no pod is taken away while the backlog grows',
  ScaleDownStabilized: 'more was wanted within the stabilization window',
  ScaleDownLimit: 'no more pods may be taken away in this period',
  BusyPods: 'pods that are at work stay',
  CoolingDown: 'the last pod stays until the cooldown is over',
};

const scalingLimited = ({ decision }: Findings): Finding => {
  const limit = decision && limits[decision.reason];
  if (decision !== undefined && limit !== undefined) return { status: 'True', reason: decision.reason, message: limit };
  switch (decision?.bound) {
    case 'maxReplicas':
      return { status: 'True', reason: 'MaxReplicas', message: 'the queues ask for more than maxReplicas' };
    case 'minReplicas':
      return { status: 'True', reason: 'MinReplicas', message: 'the queues ask for less than minReplicas' };
    case undefined:
      return { status: 'False', reason: 'AsWanted', message: 'the pods are as many as the queues ask for' };
  }
};

const fallbackActive = ({ decision }: Findings): Finding => {
  const reason = decision?.reason ?? '';
  if (!reason.startsWith('Fallback'))
    return { status: 'False', reason: 'NotNeeded', message: 'the queues are known, or were a few polls ago' };
  const what = reason === 'FallbackHold' ? 'the pods stay as they are' : 'fallback.replicas counts';
  return { status: 'True', reason, message: `the queues are unknown: ${what}` };
};

const queuesFound = ({ observation }: Findings): Finding => {
  const unknown = observation?.unknownQueues ?? [];
  if (observation === undefined)
    return { status: 'Unknown', reason: 'TargetNotFound', message: 'without a target nobody looks at the queues' };
  if (unknown.length === 0) return { status: 'True', reason: 'AllFound', message: 'every queue was read' };
  return {
    status: 'False',
    reason: 'QueuesUnknown',
    message: unknown
      .map(({ name, reason }) => `${name}: ${reason}`)
      .join('; ')
      .slice(0, 1_000),
  };
};
