/** What a decision remembers of those before it. Times are milliseconds of a clock that nobody sets, as `performance.now()` has them. */
export interface History {
  /** How many pods were wanted, before all limits but the bounds; oldest first. */
  readonly wanted: readonly { readonly at: number; readonly replicas: number }[];
  /** How many there were while nobody knew how many were wanted; oldest first. It keeps pods, and keeps none from being added. */
  readonly held: readonly { readonly at: number; readonly replicas: number }[];
  /** By how much the number of pods was changed; oldest first. */
  readonly scalings: readonly { readonly at: number; readonly change: number }[];
  /** Of the last poll that found out everything. */
  readonly backlog: number | undefined;
  /** When jobs were last seen waiting or active. */
  readonly lastActiveAt: number;
  /** Polls in a row that did not find out everything. */
  readonly failures: number;
}

/** What earlier processes wrote into the status. */
export interface Remembered {
  /** Milliseconds since jobs were last seen waiting or active. */
  readonly idleMs: number | undefined;
  readonly wasActive: boolean;
}

/**
 * Where nothing is remembered, as after a change of leader. Errs on the side of more pods: what is there counts as wanted until now, and what was
 * active as active until now.
 */
export const beginHistory = (currentReplicas: number, { idleMs = 0, wasActive }: Remembered, now: number): History => ({
  wanted: [{ at: now, replicas: currentReplicas }],
  held: [],
  scalings: [],
  backlog: undefined,
  lastActiveAt: wasActive ? now : now - Math.max(0, idleMs),
  failures: 0,
});
