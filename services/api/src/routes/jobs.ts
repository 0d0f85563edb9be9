import { changeJobStatus, getJob as getRow, insertJob, listJobs as listRows } from '@hearth/core/db/jobs.ts';
import type { Handlers } from '../http/handlers.ts';
import { presentJob } from '../presenters/job.ts';

const listJobs: Handlers['listJobs'] = async ({ db }, { query: { page, limit }, user }) => {
  // One more than asked for tells whether another page follows.
  const rows = await listRows(db, user.userId, { offset: (page - 1) * limit, limit: limit + 1 });
  const next = rows.length > limit ? `</v1/jobs?page=${page + 1}&limit=${limit}>; rel="next"` : undefined;
  return { status: 200, headers: { Link: next }, body: rows.slice(0, limit).map(presentJob) };
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
