import type { History } from '../decide/history.ts';
import type { Observation, QueueObservation } from '../decide/observation.ts';
import type { QueueScalerSpec } from '../queueScaler.ts';

/** Every field deep inside may be given by itself. */
type Partly<Value> = Value extends readonly unknown[] ? Value : { readonly [Key in keyof Value]?: Partly<Value[Key]> };

/** A spec as the API server answers one of which only this was written. */
export const specOf = (given: Partly<QueueScalerSpec> = {}): QueueScalerSpec =>
  ({
    minReplicas: 0,
    maxReplicas: 10,
    pollIntervalSeconds: 10,
    lookaheadSeconds: 30,
    cooldownSeconds: 300,
    tolerancePercent: 10,
    protectBusyPods: 'Prefer',
    suspend: false,
    ...given,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'worker', ...given.scaleTargetRef },
    queues: given.queues ?? [{ name: 'media', prefix: 'bull', jobsPerReplica: 5 }],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        maxPods: 4,
        maxPercent: 100,
        periodSeconds: 15,
        ...given.behavior?.scaleUp,
      },
      scaleDown: { stabilizationWindowSeconds: 120, maxPods: 1, periodSeconds: 30, ...given.behavior?.scaleDown },
    },
    fallback: { failureThreshold: 3, behavior: 'Hold', ...given.fallback },
  }) as QueueScalerSpec;

/** A queue that is empty but for what is given. */
export const queueOf = (given: Partial<QueueObservation> = {}): QueueObservation => ({
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
  ...given,
});

/** A Deployment of idle pods, unless others are given, and the queue `media`. */
export const observationOf = ({
  queue = {},
  ...given
}: Partial<Observation> & { readonly queue?: Partial<QueueObservation> } = {}): Observation => {
  const { currentReplicas = 0, busyPods = 0 } = given;
  return {
    currentReplicas,
    queues: [queueOf(queue)],
    unknownQueues: [],
    busyPods,
    busyUnreadyPods: 0,
    idlePods: Math.max(0, currentReplicas - busyPods),
    unattributedJobs: 0,
    rollout: 'none',
    ...given,
  };
};

/** The moment of every decision in tests. */
export const now = Date.parse('2026-11-21T12:00:00Z');

/** The history of a process that has seen nothing to do for an hour. */
export const historyOf = (given: Partial<History> = {}): History => ({
  recommendations: [],
  held: [],
  scalings: [],
  backlog: undefined,
  lastActiveAt: now - 3_600_000,
  failures: 0,
  ...given,
});
