import type { History } from '../decide/history.ts';
import type { Observation, QueueObservation } from '../decide/observation.ts';
import type { QueueScalerSpec } from '../api/queueScaler.ts';

/** Makes every field optional, also in nested objects. */
type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> };

/** Returns a spec with the defaults of the API server. */
export const makeSpec = (overrides: DeepPartial<QueueScalerSpec> = {}): QueueScalerSpec =>
  ({
    minReplicas: 0,
    maxReplicas: 10,
    pollIntervalSeconds: 10,
    lookaheadSeconds: 30,
    cooldownSeconds: 300,
    tolerancePercent: 10,
    protectBusyPods: 'Prefer',
    suspend: false,
    ...overrides,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker', ...overrides.scaleTargetRef },
    queues: overrides.queues ?? [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        maxPods: 4,
        maxPercent: 100,
        periodSeconds: 15,
        ...overrides.behavior?.scaleUp,
      },
      scaleDown: { stabilizationWindowSeconds: 120, maxPods: 1, periodSeconds: 30, ...overrides.behavior?.scaleDown },
    },
    fallback: { failureThreshold: 3, behavior: 'Hold', ...overrides.fallback },
  }) as QueueScalerSpec;

/** Returns an empty queue with these changes. */
export const makeQueue = (overrides: Partial<QueueObservation> = {}): QueueObservation => ({
  name: 'media',
  version: undefined,
  isPaused: false,
  waiting: 0,
  prioritized: 0,
  delayed: 0,
  dueDelayed: 0,
  active: 0,
  waitingChildren: 0,
  oldestWaitSeconds: undefined,
  ...overrides,
});

/** Returns an observation of the queue `media`. Pods that are not busy are idle. */
export const makeObservation = ({
  queue = {},
  ...overrides
}: Partial<Observation> & { readonly queue?: Partial<QueueObservation> } = {}): Observation => {
  const { currentReplicas = 0, busyPods = 0 } = overrides;
  return {
    currentReplicas,
    queues: [makeQueue(queue)],
    unknownQueues: [],
    busyPods,
    busyUnreadyPods: 0,
    idlePods: Math.max(0, currentReplicas - busyPods),
    unattributedJobs: 0,
    rollout: 'none',
    ...overrides,
  };
};

/** Time of every decision in tests. */
export const now = Date.parse('2026-11-21T12:00:00Z');

/** Returns the history of a process that has seen no job for an hour. */
export const makeHistory = (overrides: Partial<History> = {}): History => ({
  recommendations: [],
  held: [],
  scalings: [],
  backlog: undefined,
  lastActiveAt: now - 3_600_000,
  failures: 0,
  ...overrides,
});
