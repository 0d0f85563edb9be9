import { jobStatuses } from '@hearth/contract/vocabulary.ts';
import {
  listUnfinishedJobs,
  pauseJob,
  stepJob,
  withdrawLeftoverRuns,
  type JobStep,
  type UnfinishedJob,
} from '../../features/jobs/jobSteps.ts';
import { LeaseLostError, type Lease, underLease } from '../leases/leases.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import type { Deps } from '../../deps/deps.ts';
import { enqueueRuns } from './enqueueRuns.ts';
import { listEndedJobsWithRuns } from '../../features/jobs/jobRuns.ts';

/**
 * Maximum number of items with due runs, over all library jobs. Keeps all workers busy for a second. Half of the sweep's
 * queue limit, so that a sweep after a loss of the queue also enqueues other items.
 */
const windowItems = 1_000;

/** Maximum steps in a row of one job that finds no work, before the next job continues. */
const maxEmptySteps = 20;

type RunnerDeps = Pick<Deps, 'db' | 'queues' | 'log' | 'config'>;

/**
 * Advances all library jobs by one step: counts finished items and makes as many new items due, with lower priority
 * than uploads. All state is in the database, so another process can continue at any time.
 */
export const runJobs = async (deps: RunnerDeps, lease: Lease): Promise<void> => {
  for (const id of await listEndedJobsWithRuns(deps.db)) {
    await underLease(deps.db, lease, (trx) => withdrawLeftoverRuns(trx, id));
  }
  const jobs = await listUnfinishedJobs(deps.db);
  for (const status of jobStatuses.filter((each) => each !== 'COMPLETED' && each !== 'STOPPED')) {
    metrics.jobs.set({ status }, jobs.filter((job) => job.status === status).length);
  }
  const running = jobs.filter(({ status }) => status !== 'PAUSED');
  const window = Math.max(1, Math.floor(windowItems / running.length));
  // Each job gets at least one item, so beyond this number of jobs the newest wait.
  for (const job of running.slice(0, windowItems)) {
    try {
      await runJob(deps, lease, job, window);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      deps.log.warn({ err: error, jobId: job.id }, 'job step failed; retrying');
    }
  }
};

const runJob = async (deps: RunnerDeps, lease: Lease, job: UnfinishedJob, window: number): Promise<void> => {
  const { db, log, config } = deps;
  if (job.isSwitchedOff || config.featuresOff.includes('jobs')) {
    await underLease(db, lease, (trx) => pauseJob(trx, job.id));
    log.info({ jobId: job.id }, 'job paused; the user may not run jobs any more');
    return;
  }
  if (job.status === 'SCHEDULED') log.info({ jobId: job.id }, 'job started');
  let step: JobStep;
  let steps = 0;
  do {
    step = await underLease(db, lease, (trx) => stepJob(trx, job.id, window, { featuresOff: config.featuresOff }));
    metrics.jobItems.inc({ outcome: 'failed' }, step.failed);
    metrics.jobItems.inc({ outcome: 'done' }, step.done - step.failed);
    await enqueueRuns(deps, step.opened);
    steps += 1;
  } while (step.hasMore && steps < maxEmptySteps);
  if (step.isCompleted) log.info({ jobId: job.id }, 'job completed');
};
