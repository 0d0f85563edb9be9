/** An entry in the workers' journal. */
export interface JournalEntry {
  /** Milliseconds since 1970 on the node's clock. */
  readonly at: number;
  readonly pod: string;
  readonly event: 'begin' | 'end' | 'sigterm' | 'closed' | 'left';
  readonly job?: string;
  /** Active jobs of the worker at that time. */
  readonly activeJobs: readonly string[];
}

/** A pod that received SIGTERM. */
export interface TerminatedPod {
  readonly pod: string;
  readonly at: number;
  /** Number of its active jobs at SIGTERM. */
  readonly activeJobs: number;
  /** Time until the worker was closed or gave up, in ms. Undefined if the pod was killed before. */
  readonly endedAfterMs: number | undefined;
  /** True if the worker gave up, so that another one must process its jobs. */
  readonly hasGivenUp: boolean;
}

export const listTerminatedPods = (journal: readonly JournalEntry[]): readonly TerminatedPod[] =>
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

/** Number of starts and completions of a job. */
export interface JobRuns {
  readonly begun: number;
  readonly ended: number;
}

export const countJobRuns = (journal: readonly JournalEntry[], jobs: readonly string[]): readonly JobRuns[] => {
  const count = (job: string, event: string): number =>
    journal.filter((entry) => entry.job === job && entry.event === event).length;
  return jobs.map((job) => ({ begun: count(job, 'begin'), ended: count(job, 'end') }));
};
