/** An entry of the journal that the workers write. */
export interface JournalEntry {
  /** Milliseconds since 1970 on the clock of the node. */
  readonly at: number;
  readonly pod: string;
  readonly event: 'begin' | 'end' | 'sigterm' | 'closed' | 'left';
  readonly job?: string;
  /** The active jobs of the worker at that time. */
  readonly activeJobs: readonly string[];
}

/** A pod that received SIGTERM. */
export interface TerminatedPod {
  readonly pod: string;
  readonly at: number;
  /** Number of its active jobs at SIGTERM. */
  readonly activeJobs: number;
  /** Milliseconds until its worker was closed or gave up; undefined when the pod was killed before. */
  readonly endedAfterMs: number | undefined;
  /** Whether the worker gave up, so that another worker has to process its jobs. */
  readonly hasGivenUp: boolean;
}

export const terminatedPods = (journal: readonly JournalEntry[]): readonly TerminatedPod[] =>
  journal
    .filter(({ event }) => event === 'sigterm')
    .map(({ pod, at, activeJobs }) => {
      const end = journal.find((entry) => entry.pod === pod && (entry.event === 'closed' || entry.event === 'left'));
      return {
        pod,
        at,
        activeJobs: activeJobs.length,
        endedAfterMs: end && end.at - at,
        hasGivenUp: end?.event === 'left',
      };
    });

/** How often a job was started and completed. */
export interface JobRuns {
  readonly begun: number;
  readonly ended: number;
}

export const jobRuns = (journal: readonly JournalEntry[], jobs: readonly string[]): readonly JobRuns[] => {
  const count = (job: string, event: string): number =>
    journal.filter((entry) => entry.job === job && entry.event === event).length;
  return jobs.map((job) => ({ begun: count(job, 'begin'), ended: count(job, 'end') }));
};
