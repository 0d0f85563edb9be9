import { isDeepStrictEqual } from 'node:util';
import type { QueueScaler } from '../api/objects.ts';
import type { History } from '../decide/history.ts';
import { countBacklog, type Observation } from '../decide/observation.ts';
import type { QueueScalerStatus, QueueScalerStatusCondition, QueueScalerStatusQueue } from '../api/queueScaler.ts';
import { conditionTypes, findConditions, type ConditionType, type Findings } from './conditions.ts';

export interface ReconcileOutcome extends Findings {
  readonly history: History | undefined;
  /** Time since jobs were last waiting or active, in ms. Undefined if unknown. */
  readonly idleMs: number | undefined;
  /** `status.replicas` of the Deployment. */
  readonly existingReplicas: number | undefined;
  /** Reason for scaling the target in this reconcile. Undefined if it was not scaled. */
  readonly scaled: string | undefined;
  readonly now: number;
}

/** Builds the whole status after a reconcile. */
export const buildStatus = (
  { metadata, status: before }: QueueScaler,
  outcome: ReconcileOutcome,
): QueueScalerStatus => {
  const { spec, observation, decision, history, scaled, now } = outcome;
  const scaledBefore = { lastScaleTime: before?.lastScaleTime, lastScaleReason: before?.lastScaleReason };
  return withoutUndefined({
    observedGeneration: metadata.generation,
    currentReplicas: outcome.existingReplicas,
    desiredReplicas: decision?.replicas,
    busyReplicas: observation?.busyPods,
    backlog: observation && countBacklog(observation),
    queues: observation && buildQueueStatuses(observation),
    lastObservedTime: formatTime(now),
    lastActiveTime: outcome.idleMs === undefined ? before?.lastActiveTime : formatTime(now - outcome.idleMs),
    ...(scaled === undefined ? scaledBefore : { lastScaleTime: formatTime(now), lastScaleReason: scaled }),
    consecutiveFailures: history && Math.min(history.failures, spec.fallback.failureThreshold),
    conditions: buildConditions(metadata.generation, before, outcome),
  });
};

/** Returns the previous status with `Ready` set to False, after the API server rejected a request. */
export const buildRejectedStatus = (
  { metadata, status: before }: QueueScaler,
  error: string,
  now: number,
): QueueScalerStatus => {
  const previous = before?.conditions?.find(({ type }) => type === 'Ready');
  const ready: QueueScalerStatusCondition = {
    type: 'Ready',
    status: 'False',
    reason: 'ReconcileError',
    // The text before "cannot" may name a pod, a different one in each reconcile.
    message: `the API server rejected a request: ${/cannot .*/s.exec(error)?.[0] ?? error}`.slice(0, 1_000),
    observedGeneration: metadata.generation,
    lastTransitionTime: previous?.status === 'False' ? previous.lastTransitionTime : formatTime(now),
  };
  const others = before?.conditions?.filter(({ type }) => type !== 'Ready') ?? [];
  return { ...before, observedGeneration: metadata.generation, conditions: [ready, ...others] };
};

/** Returns true if a field other than the volatile ones has changed. */
export const hasChanged = (before: QueueScalerStatus | undefined, status: QueueScalerStatus): boolean =>
  !isDeepStrictEqual(withoutVolatile(before ?? {}), withoutVolatile(status));

/** Returns the reported conditions whose status has changed. For a new QueueScaler these are the unhealthy ones. */
export const listChangedConditions = (
  before: QueueScalerStatus | undefined,
  after: QueueScalerStatus,
): readonly QueueScalerStatusCondition[] =>
  (after.conditions ?? []).filter(({ type, status }) => {
    if (!isReported(type)) return false;
    const previous = before?.conditions?.find((condition) => condition.type === type)?.status;
    return previous === undefined ? status !== healthyStatus[type] : previous !== status;
  });

/** Returns true if a condition has its healthy status. Conditions that are not reported always count as healthy. */
export const isHealthy = ({ type, status }: QueueScalerStatusCondition): boolean =>
  !isReported(type) || status === healthyStatus[type];

/** Healthy status of each condition that is reported as an event. The other conditions change under normal load. */
const healthyStatus = { Ready: 'True', FallbackActive: 'False', Suspended: 'False', QueuesFound: 'True' } as const;

const isReported = (type: string): type is keyof typeof healthyStatus => type in healthyStatus;

const buildConditions = (
  observedGeneration: number | undefined,
  before: QueueScalerStatus | undefined,
  outcome: ReconcileOutcome,
): readonly QueueScalerStatusCondition[] => {
  const found = findConditions(outcome);
  return conditionTypes.map((type: ConditionType) => {
    const previous = before?.conditions?.find((condition) => condition.type === type);
    const isSame = previous?.status === found[type].status;
    const lastTransitionTime = isSame ? previous.lastTransitionTime : formatTime(outcome.now);
    return withoutUndefined({ type, ...found[type], observedGeneration, lastTransitionTime });
  });
};

const buildQueueStatuses = ({ queues, unknownQueues }: Observation): readonly QueueScalerStatusQueue[] => [
  ...queues.map(({ isPaused, ...queue }) => withoutUndefined({ ...queue, found: true, paused: isPaused })),
  ...unknownQueues.map(({ name }) => ({ name, found: false })),
];

/** Fields that change with time alone. They are written only together with another change. */
const volatileFields = new Set(['lastObservedTime', 'lastActiveTime', 'oldestWaitSeconds']);

/** Returns a copy without volatile fields. */
const withoutVolatile = (status: QueueScalerStatus): unknown =>
  JSON.parse(JSON.stringify(status, (name, value: unknown) => (volatileFields.has(name) ? undefined : value)));

/** Removes fields without a value, as the API server does. */
const withoutUndefined = <Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

/** Formats a time in RFC 3339, to the second. */
const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
