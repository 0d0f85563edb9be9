/** Past events that a decision depends on. Times are ms of a monotonic clock, as `performance.now()` returns them. */
export interface History {
  /** Past recommendations within minReplicas and maxReplicas, oldest first. */
  readonly recommendations: readonly { readonly at: number; readonly replicas: number }[];
  /**
   * Current replicas of each poll with an unknown queue, oldest first. They delay scaling down but never cause scaling
   * up.
   */
  readonly held: readonly { readonly at: number; readonly replicas: number }[];
  /** Past changes of the replicas, oldest first. */
  readonly scalings: readonly { readonly at: number; readonly change: number }[];
  /** Backlog of the last poll without unknown queues. */
  readonly backlog: number | undefined;
  /** Last time that jobs were waiting or active. */
  readonly lastActiveAt: number;
  /** Number of consecutive polls with an unknown queue. */
  readonly failures: number;
}

/** The part of the history that the status contains. */
export interface PersistedHistory {
  /** Time since jobs were last waiting or active, in ms. */
  readonly idleMs: number | undefined;
  /** True if jobs were waiting or active when the status was written. */
  readonly wasActive: boolean;
}

/**
 * Returns the history of a new leader, which knows only the status. It prefers too many pods to too few. The current
 * replicas count as recommended until now, and queues that were active in the status count as active until now.
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
