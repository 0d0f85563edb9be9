import { jobStatuses } from '@hearth/contract/vocabulary.ts';
import { listJobsWithLeftRuns } from '@hearth/core/runs/jobRuns.ts';
import {
  listUnfinishedJobs,
  pauseJob,
  stepJob,
  withdrawLeftRuns,
  type JobStep,
  type UnfinishedJob,
} from '../../features/jobs/jobSteps.ts';
import { LeaseLostError, type Lease, underLease } from '../leases/leases.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import type { Deps } from '../../deps/deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';

/**
 * Items of all library jobs together whose runs may be due at a time: enough for a second of all workers, and half of what the sweeper puts
 * into a queue, so that after the loss of a queue the sweeper never brings back items of jobs alone.
 */
const windowItems = 1_000;

/** Steps in a row in which one job finds nothing to do, until the other jobs have their turn. */
const emptyStepsInARow = 20;

type RunnerDeps = Pick<Deps, 'db' | 'queues' | 'log' | 'config'>;

/**
 * Brings the library jobs of all users one step forward: items that the workers have finished count as handled, and as many further items
 * become due, behind every upload. The whole state is in the database, so another process can continue at any moment.
 */
export const runJobs = async (deps: RunnerDeps, lease: Lease): Promise<void> => {
  for (const id of await listJobsWithLeftRuns(deps.db)) {
    await underLease(deps.db, lease, (trx) => withdrawLeftRuns(trx, id));
  }
  const jobs = await listUnfinishedJobs(deps.db);
  for (const status of jobStatuses.filter((each) => each !== 'COMPLETED' && each !== 'STOPPED')) {
    metrics.jobs.set({ status }, jobs.filter((job) => job.status === status).length);
  }
  const running = jobs.filter(({ status }) => status !== 'PAUSED');
  const window = Math.max(1, Math.floor(windowItems / running.length));
  // With more jobs than that, the newest wait.
  for (const job of running.slice(0, windowItems)) {
    try {
      await runJob(deps, lease, job, window);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      deps.log.warn({ err: error, jobId: job.id }, 'a step of a job failed and will be tried again');
    }
  }
};

const runJob = async (deps: RunnerDeps, lease: Lease, job: UnfinishedJob, window: number): Promise<void> => {
  const { db, log, config } = deps;
  if (job.isSwitchedOff || config.featuresOff.includes('jobs')) {
    await underLease(db, lease, (trx) => pauseJob(trx, job.id));
    log.info({ jobId: job.id }, 'job paused: its user has no jobs any more');
    return;
  }
  if (job.status === 'SCHEDULED') log.info({ jobId: job.id }, 'job begins');
  let step: JobStep;
  let steps = 0;
  do {
    step = await underLease(db, lease, (trx) => stepJob(trx, job.id, window, { featuresOff: config.featuresOff }));
    metrics.jobItems.inc({ outcome: 'failed' }, step.failed);
    metrics.jobItems.inc({ outcome: 'done' }, step.done - step.failed);
    await enqueueRuns(deps, step.opened);
    steps += 1;
  } while (step.isMoreAtHand && steps < emptyStepsInARow);
  if (step.isCompleted) log.info({ jobId: job.id }, 'job completed');
};
