/** What a decision knows of earlier decisions. Times are milliseconds of a monotonic clock, as `performance.now()` returns them. */
export interface History {
  /** The recommendations within the bounds; oldest first. */
  readonly recommendations: readonly { readonly at: number; readonly replicas: number }[];
  /** The numbers of pods while a queue was unknown; oldest first. They delay scale down, and never scale up. */
  readonly held: readonly { readonly at: number; readonly replicas: number }[];
  /** The changes of the number of pods; oldest first. */
  readonly scalings: readonly { readonly at: number; readonly change: number }[];
  /** As of the last poll in which every queue was known. */
  readonly backlog: number | undefined;
  /** When jobs were last seen waiting or active. */
  readonly lastActiveAt: number;
  /** Consecutive polls with an unknown queue. */
  readonly failures: number;
}

/** What earlier processes wrote into the status. */
export interface Remembered {
  /** Milliseconds since jobs were last seen waiting or active. */
  readonly idleMs: number | undefined;
  readonly wasActive: boolean;
}

/**
 * The history of a new leader, which knows only the status. It errs on the side of more pods: the pods that are there count as recommended
 * until now, and queues that were active as active until now.
 */
export const beginHistory = (currentReplicas: number, { idleMs = 0, wasActive }: Remembered, now: number): History => ({
  recommendations: [{ at: now, replicas: currentReplicas }],
  held: [],
  scalings: [],
  backlog: undefined,
  lastActiveAt: wasActive ? now : now - Math.max(0, idleMs),
  failures: 0,
});
