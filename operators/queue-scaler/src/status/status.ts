import type { QueueScaler } from '../cluster/objects.ts';
import type { History } from '../decide/history.ts';
import { backlogOf, type Observation } from '../decide/observation.ts';
import type { QueueScalerStatus, QueueScalerStatusCondition, QueueScalerStatusQueue } from '../queueScaler.ts';
import { conditionTypes, findConditions, type ConditionType, type Findings } from './conditions.ts';

/** What a turn came to. */
export interface Turn extends Findings {
  readonly history: History | undefined;
  /** Milliseconds since jobs were last seen waiting or active; undefined where nobody knows. */
  readonly idleMs: number | undefined;
  /** Pods that the Deployment has, those that it is asked for aside. */
  readonly existingReplicas: number | undefined;
  /** Why the number of pods was changed in this turn; undefined where it was not. */
  readonly scaled: string | undefined;
  readonly now: number;
}

/** The whole status after a turn. */
export const buildStatus = ({ metadata, status: before }: QueueScaler, turn: Turn): QueueScalerStatus => {
  const { spec, observation, decision, history, scaled, now } = turn;
  const scaledBefore = { lastScaleTime: before?.lastScaleTime, lastScaleReason: before?.lastScaleReason };
  return withoutGaps({
    observedGeneration: metadata.generation,
    currentReplicas: turn.existingReplicas,
    desiredReplicas: decision?.replicas,
    busyReplicas: observation?.busyPods,
    backlog: observation && backlogOf(observation),
    queues: observation && presentQueues(observation),
    lastObservedTime: timeOf(now),
    lastActiveTime: turn.idleMs === undefined ? before?.lastActiveTime : timeOf(now - turn.idleMs),
    ...(scaled === undefined ? scaledBefore : { lastScaleTime: timeOf(now), lastScaleReason: scaled }),
    consecutiveFailures: history && Math.min(history.failures, spec.fallback.failureThreshold),
    conditions: presentConditions(metadata.generation, before, turn),
  });
};

/** The status of a QueueScaler whose turn the API server refused: as it was, but not ready. */
export const refusedStatus = (
  { metadata, status: before }: QueueScaler,
  refusal: string,
  now: number,
): QueueScalerStatus => {
  const was = before?.conditions?.find(({ type }) => type === 'Ready');
  const ready: QueueScalerStatusCondition = {
    type: 'Ready',
    status: 'False',
    reason: 'ReconcileError',
    // What it is about is a constant; which pod it is about is not.
    message: `the API server rejected a request: ${/cannot .*/s.exec(refusal)?.[0] ?? refusal}`.slice(0, 1_000),
    observedGeneration: metadata.generation,
    lastTransitionTime: was?.status === 'False' ? was.lastTransitionTime : timeOf(now),
  };
  const others = before?.conditions?.filter(({ type }) => type !== 'Ready') ?? [];
  return { ...before, observedGeneration: metadata.generation, conditions: [ready, ...others] };
};

/** Whether a status says something that the one before did not; that the time passes is nothing new. */
export const isNews = (before: QueueScalerStatus | undefined, status: QueueScalerStatus): boolean =>
  canonical(before ?? {}) !== canonical(status);

/** Conditions that are not as they were, and worth telling; of a new QueueScaler those that are not as they should be. */
export const changedConditions = (
  before: QueueScalerStatus | undefined,
  after: QueueScalerStatus,
): readonly QueueScalerStatusCondition[] =>
  (after.conditions ?? []).filter(({ type, status }) => {
    if (!isTold(type)) return false;
    const was = before?.conditions?.find((condition) => condition.type === type)?.status;
    return was === undefined ? status !== whenAllIsWell[type] : was !== status;
  });

/** Whether a condition is as it should be. */
export const isWell = ({ type, status }: QueueScalerStatusCondition): boolean =>
  !isTold(type) || status === whenAllIsWell[type];

/** The others change with every import. */
const whenAllIsWell = { Ready: 'True', FallbackActive: 'False', Suspended: 'False', QueuesFound: 'True' } as const;

const isTold = (type: string): type is keyof typeof whenAllIsWell => type in whenAllIsWell;

const presentConditions = (
  observedGeneration: number | undefined,
  before: QueueScalerStatus | undefined,
  turn: Turn,
): readonly QueueScalerStatusCondition[] => {
  const found = findConditions(turn);
  return conditionTypes.map((type: ConditionType) => {
    const was = before?.conditions?.find((condition) => condition.type === type);
    const isSame = was?.status === found[type].status;
    const lastTransitionTime = isSame ? was.lastTransitionTime : timeOf(turn.now);
    return withoutGaps({ type, ...found[type], observedGeneration, lastTransitionTime });
  });
};

const presentQueues = ({ queues, unknownQueues }: Observation): readonly QueueScalerStatusQueue[] => [
  ...queues.map(({ isPaused, ...queue }) => withoutGaps({ ...queue, found: true, paused: isPaused })),
  ...unknownQueues.map(({ name }) => ({ name, found: false })),
];

const moments = new Set(['lastObservedTime', 'lastActiveTime', 'oldestWaitSeconds']);

/** Without what is said anew only together with something else, in an order that does not depend on who wrote it. */
const canonical = (status: QueueScalerStatus): string => {
  return JSON.stringify(status, (_name, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    const entries = Object.entries(value).filter(([name]) => !moments.has(name));
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
};

/** Fields without a value are left out, as the API server does. */
const withoutGaps = <Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

/** RFC 3339, to the second. */
const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
