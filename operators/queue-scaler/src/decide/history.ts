/** What a decision knows about the past. Times are milliseconds of a monotonic clock, as `performance.now()` returns them. */
export interface History {
  /** Past recommendations, limited to minReplicas and maxReplicas; oldest first. */
  readonly recommendations: readonly { readonly at: number; readonly replicas: number }[];
  /** The current replicas of each poll with an unknown queue; oldest first. They delay scale down, and never scale up. */
  readonly held: readonly { readonly at: number; readonly replicas: number }[];
  /** Past changes of the replicas; oldest first. */
  readonly scalings: readonly { readonly at: number; readonly change: number }[];
  /** The backlog of the last poll in which every queue was known. */
  readonly backlog: number | undefined;
  /** When jobs were last waiting or active. */
  readonly lastActiveAt: number;
  /** Number of consecutive polls with an unknown queue. */
  readonly failures: number;
}

/** The part of the history that is written to the status. */
export interface PersistedHistory {
  /** Milliseconds since jobs were last waiting or active. */
  readonly idleMs: number | undefined;
  /** Whether jobs were waiting or active when the status was written. */
  readonly wasActive: boolean;
}

/**
 * The history of a new leader, which only knows the status. It prefers too many pods to too few: the current replicas count as recommended until
 * now, and queues that were active in the status count as active until now.
 */
export const initialHistory = (
  currentReplicas: number,
  { idleMs = 0, wasActive }: PersistedHistory,
  now: number,
): History => ({
  recommendations: [{ at: now, replicas: currentReplicas }],
  held: [],
  scalings: [],
  backlog: undefined,
  lastActiveAt: wasActive ? now : now - Math.max(0, idleMs),
  failures: 0,
});
