/** What a worker wrote down. */
export interface JournalEntry {
  /** Milliseconds since 1970, by the clock of the node. */
  readonly at: number;
  readonly pod: string;
  readonly event: 'begin' | 'end' | 'sigterm' | 'closed' | 'left';
  readonly job?: string;
  /** Jobs that the worker had at that moment. */
  readonly inHand: readonly string[];
}

/** A pod that was told to end. */
export interface TakenPod {
  readonly pod: string;
  readonly at: number;
  /** Jobs that it had when it was told. */
  readonly inHand: number;
  /** Milliseconds until it had closed its worker, or left its jobs to others; undefined where it was killed meanwhile. */
  readonly endedAfterMs: number | undefined;
  readonly hasLeft: boolean;
}

export const takenPods = (journal: readonly JournalEntry[]): readonly TakenPod[] =>
  journal
    .filter(({ event }) => event === 'sigterm')
    .map(({ pod, at, inHand }) => {
      const end = journal.find((entry) => entry.pod === pod && (entry.event === 'closed' || entry.event === 'left'));
      return {
        pod,
        at,
        inHand: inHand.length,
        endedAfterMs: end && end.at - at,
        hasLeft: end?.event === 'left',
      };
    });

/** How often a job was begun and brought to its end. */
export interface JobRuns {
  readonly begun: number;
  readonly ended: number;
}

export const jobRuns = (journal: readonly JournalEntry[], jobs: readonly string[]): readonly JobRuns[] => {
  const count = (job: string, event: string): number =>
    journal.filter((entry) => entry.job === job && entry.event === event).length;
  return jobs.map((job) => ({ begun: count(job, 'begin'), ended: count(job, 'end') }));
};
