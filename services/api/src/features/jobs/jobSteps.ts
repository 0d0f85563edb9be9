import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { firstId, lastId } from '@hearth/core/db/ids.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';
import { setStatus } from './queries.ts';
import { openRuns, listReprocessedComponents, withdrawRuns } from './jobRuns.ts';
import type { JobRow } from '@hearth/core/db/schema.ts';
import type { PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';

export interface UnfinishedJob {
  readonly id: string;
  readonly status: 'SCHEDULED' | 'RUNNING' | 'PAUSED';
  /** True if the user's account has jobs switched off. */
  readonly isSwitchedOff: boolean;
}

/** Lists the unfinished jobs of all users, oldest first, except of users being removed. */
export const listUnfinishedJobs = async (db: Database): Promise<UnfinishedJob[]> => {
  const { rows } = await sql<UnfinishedJob>`
    select jobs.id, jobs.status, coalesce(users.features -> 'jobs' = 'false', false) as "isSwitchedOff"
    from jobs join users on users.id = jobs.user_id
    where jobs.status in ('SCHEDULED', 'RUNNING', 'PAUSED') and users.removing_at is null
    order by jobs.created_at, jobs.id`.execute(db);
  return rows;
};

export interface JobStep {
  /** Number of items finished since the last step. */
  readonly done: number;
  /** Number of these items with a failed run. */
  readonly failed: number;
  /** Runs that this step made due. They are not enqueued yet. */
  readonly opened: readonly OpenedRun[];
  readonly isCompleted: boolean;
  /** True if the next step can follow at once, because the items added to the window need no run. */
  readonly hasMore: boolean;
}

const emptyStep: JobStep = { done: 0, failed: 0, opened: [], isCompleted: false, hasMore: false };

/**
 * Advances a job: records finished items, makes the runs of the next items due, and completes it after the last. At
 * most `window` items are in progress, so a step costs the same in a library of any size.
 */
export const stepJob = async (
  trx: Database,
  jobId: string,
  window: number,
  options: PipelineOptions = {},
): Promise<JobStep> => {
  const job = await lockRunningJob(trx, jobId);
  if (job === undefined) return emptyStep;
  const { handled, openCount } = await checkWindow(trx, job, options);
  const freeSlots = window - openCount;
  const next = await lockNextItems(trx, job, freeSlots);
  const opened = await openRuns(trx, job, next, options);
  const lastHandled = handled.at(-1)?.id;
  const failed = handled.filter((item) => item.failed).length;
  const isCompleted = openCount === 0 && next.length === 0;
  if (isCompleted || lastHandled !== undefined || next.length > 0 || job.status === 'SCHEDULED') {
    await trx
      .updateTable('jobs')
      .set((eb) => ({
        status: 'RUNNING',
        last_media_item_id: lastHandled ?? eb.ref('last_media_item_id'),
        opened_to: next.at(-1) ?? eb.ref('opened_to'),
        done: job.done + handled.length,
        failed: job.failed + failed,
        // Items added while the job was created raise the total. Items removed before they are reprocessed lower it at the end.
        total: isCompleted ? job.done + handled.length : Math.max(job.total, job.done + handled.length),
        updated_at: sql`now()`,
      }))
      .where('id', '=', job.id)
      .execute();
  }
  if (isCompleted) await setStatus(trx, job.id, 'COMPLETED');
  return { done: handled.length, failed, opened, isCompleted, hasMore: opened.length === 0 && next.length > 0 };
};

/** Pauses a job unless it has ended or is already paused. */
export const pauseJob = async (trx: Database, jobId: string): Promise<void> => {
  if ((await lockRunningJob(trx, jobId)) !== undefined) await setStatus(trx, jobId, 'PAUSED');
};

/** Resets the due runs of a job that is not running, see `listEndedJobsWithRuns`. */
export const withdrawLeftoverRuns = async (trx: Database, jobId: string): Promise<void> => {
  const job = await trx.selectFrom('jobs').select('status').where('id', '=', jobId).forUpdate().executeTakeFirst();
  if (job?.status !== 'SCHEDULED' && job?.status !== 'RUNNING') await withdrawRuns(trx, jobId);
};

const lockRunningJob = async (trx: Database, jobId: string): Promise<JobRow | undefined> =>
  trx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .forUpdate()
    .executeTakeFirst();

/**
 * Returns the finished items at the start of the window, before the first one with a due or active run, and the number
 * of the others. Ignores items being removed.
 */
const checkWindow = async (trx: Database, job: JobRow, { components }: PipelineOptions) => {
  const names = listReprocessedComponents(job.components, components).map(({ name }) => name);
  const { rows } = await sql<{ id: string; failed: boolean | null }>`
    with open as materialized (
      select run.media_item_id as id
      from component_runs as run join media_items as item on item.id = run.media_item_id
      where run.job_id = ${job.id} and run.media_item_id > ${job.last_media_item_id ?? firstId}
        and run.state in ('PENDING', 'RUNNING') and item.removing_at is null
      order by run.media_item_id limit 1
    )
    select item.id, case when item.id < coalesce((select id from open), ${lastId}) then exists (
      select from component_runs as run
      where run.media_item_id = item.id and run.component = any(${names}::text[]) and run.state = 'FAILED') end as failed
    from media_items as item
    where item.user_id = ${job.user_id} and item.id > ${job.last_media_item_id ?? firstId} and item.id <= ${job.opened_to ?? firstId}
      and item.removing_at is null and item.created_at <= (select created_at from jobs where id = ${job.id})
    order by item.id`.execute(trx);
  const handled = rows.filter((row) => row.failed !== null);
  return { handled, openCount: rows.length - handled.length };
};

/** Locks and returns the user's next items after the window, by id, that existed when the job was created. */
const lockNextItems = async (trx: Database, job: JobRow, limit: number): Promise<string[]> => {
  if (limit <= 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from media_items
    where user_id = ${job.user_id} and id > ${job.opened_to ?? firstId} and id <= ${job.end_media_item_id ?? firstId}
      and removing_at is null and created_at <= (select created_at from jobs where id = ${job.id})
    order by id limit ${limit} for no key update`.execute(trx);
  return rows.map(({ id }) => id);
};
