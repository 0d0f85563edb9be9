import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ComponentName, JobStatus } from '@hearth/contract/vocabulary.ts';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { JobRow } from '@hearth/core/db/schema.ts';
import {
  cutPage,
  buildPageClauses,
  exactTime,
  type CursorPage,
  type PageOf,
  type TimePosition,
} from '../../database/pages.ts';
import { withdrawRuns } from './jobRuns.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';

/** Statuses that a user may request, by current status. The current one is always allowed. */
const allowedStatuses: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  SCHEDULED: ['PAUSED', 'STOPPED'],
  RUNNING: ['PAUSED', 'STOPPED'],
  PAUSED: ['RUNNING', 'STOPPED'],
  COMPLETED: [],
  STOPPED: [],
};

/**
 * Creates a job over the user's current items, including hidden and trashed ones. Takes their number from the stored
 * counts.
 * @throws AppError CONFLICT if another job of the user is unfinished
 */
export const insertJob = async (
  db: Database,
  userId: string,
  components: readonly ComponentName[],
): Promise<JobRow> => {
  try {
    const { rows } = await sql<JobRow>`
      insert into jobs (id, user_id, components, total, end_media_item_id)
      select ${randomUUID()}, ${userId}, ${components}::text[],
        (select greatest(coalesce(sum(n), 0), 0) from (
          select n from counts where user_id = ${userId} and list_id = ${userId} and type is null
          union all
          select n from count_deltas where user_id = ${userId} and list_id = ${userId}
        ) as item_counts),
        (select id from media_items where user_id = ${userId} order by id desc limit 1)
      returning *`.execute(db);
    return rows[0]!;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'jobs_unfinished') throw error;
    throw new AppError('CONFLICT', 'another job is still running', { cause: error });
  }
};

export const listJobs = async (
  db: Database,
  userId: string,
  page: PageOf<TimePosition>,
): Promise<CursorPage<JobRow, TimePosition>> => {
  const createdAt = sql.ref('created_at');
  const { rows } = await sql<JobRow & { readonly time: string }>`
    select *, ${exactTime(createdAt)} as time from jobs
    where user_id = ${userId} ${buildPageClauses(page, createdAt, 'desc')}`.execute(prepared(db, 'jobs', page.limit));
  return cutPage(rows, page.limit, ({ time, id }) => ({ time, id }));
};

/** @throws NotFoundError, also for a job of another user */
export const getJob = async (db: Database, userId: string, id: string): Promise<JobRow> =>
  prepared(db, 'job')
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(() => new NotFoundError('job'));

/**
 * Changes the status of a job on request. After a pause or stop, no further run starts once this has returned, but
 * active runs finish.
 * @throws NotFoundError, also for a job of another user
 * @throws AppError CONFLICT if the current status does not allow the change
 */
export const changeJobStatus = async (db: Database, userId: string, id: string, status: JobStatus): Promise<void> =>
  transaction(db, async (trx) => {
    const job = await trx
      .selectFrom('jobs')
      .select('status')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new NotFoundError('job'));
    if (job.status === status) return;
    if (!allowedStatuses[job.status].includes(status)) {
      throw new AppError('CONFLICT', `cannot change a job from ${job.status} to ${status}`);
    }
    await setStatus(trx, id, status);
  });

/**
 * Sets the status of a locked job. Withdraws its due runs unless it is running. A resumed job continues after the last
 * finished item.
 */
export const setStatus = async (trx: Database, id: string, status: JobStatus): Promise<void> => {
  await trx
    .updateTable('jobs')
    .set((eb) => ({ status, opened_to: eb.ref('last_media_item_id'), updated_at: sql`now()` }))
    .where('id', '=', id)
    .execute();
  if (status !== 'RUNNING') await withdrawRuns(trx, id);
};
