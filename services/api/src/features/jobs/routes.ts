import { changeJobStatus, getJob as getRow, insertJob, listJobs as listRows } from './queries.ts';
import type { Handlers } from '../../http/handle.ts';
import { nextPageLink, pageIn } from '../../lists/listPage.ts';
import { cursors } from '../../lists/positions.ts';
import type { Job } from '@hearth/contract/jobs.ts';
import type { JobRow } from '@hearth/core/db/schema.ts';

const listJobs: Handlers['listJobs'] = async ({ db }, { query, user, req }) => {
  const { entries, next } = await listRows(db, user.userId, pageIn(cursors.jobs, query));
  return {
    status: 200,
    headers: { Link: nextPageLink(cursors.jobs, next, req.originalUrl) },
    body: entries.map(presentJob),
  };
};

const createJob: Handlers['createJob'] = async ({ db }, { body, user }) => {
  const row = await insertJob(db, user.userId, body.components);
  return { status: 201, headers: { Location: `/v1/jobs/${row.id}` }, body: presentJob(row) };
};

const getJob: Handlers['getJob'] = async ({ db }, { params, user }) => ({
  status: 200,
  body: presentJob(await getRow(db, user.userId, params.id)),
});

const updateJob: Handlers['updateJob'] = async ({ db }, { params, body, user }) => {
  await changeJobStatus(db, user.userId, params.id, body.status);
  return { status: 204 };
};

export const jobHandlers = { listJobs, createJob, getJob, updateJob } satisfies Partial<Handlers>;

/** Converts a job to its API form. */
const presentJob = ({ id, last_media_item_id: lastMediaItemId, ...job }: JobRow): Job => ({
  id,
  userId: job.user_id,
  components: job.components as Job['components'],
  status: job.status,
  ...(lastMediaItemId !== null && { lastMediaItemId }),
  progress: { total: job.total, done: job.done, failed: job.failed },
  createdAt: job.created_at.toISOString(),
  updatedAt: job.updated_at.toISOString(),
});
