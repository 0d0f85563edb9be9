import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { ListQuery } from './query.ts';
import { Id, Timestamp, word } from './scalars.ts';
import { jobComponentNames, jobStatuses } from './vocabulary.ts';

/** Components to redo for every item of a user. */
export const Job = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Whose it is.' }),
    components: z.array(z.enum(jobComponentNames)),
    status: z.enum(jobStatuses),
    lastMediaItemId: Id.optional().meta({ description: 'Up to this one every item has been handled.' }),
    progress: z
      .object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) })
      .meta({ description: 'How many items there are, how many have been handled, and of how many something failed.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Job', description: 'Components to redo for every item of a user.' });
export type Job = z.infer<typeof Job>;

/** A new job: its components as a list, or as one text with commas; at least one, none twice. */
export const JobCreate = z
  .strictObject({
    components: z
      .preprocess(
        splitNames,
        z
          .array(word(jobComponentNames))
          .min(1)
          .refine((names) => new Set(names).size === names.length, 'must name no component twice'),
      )
      .meta({ description: 'In any case; none twice. Also accepted as one text with commas.', uniqueItems: true }),
  })
  .meta({ id: 'JobCreate', description: 'A new job.' });
export type JobCreate = z.infer<typeof JobCreate>;

/** The state that a job shall have. */
export const JobUpdate = z
  .strictObject({ status: word(jobStatuses).meta({ description: 'In any case.' }) })
  .meta({ id: 'JobUpdate', description: 'The state that the job shall have.' });
export type JobUpdate = z.infer<typeof JobUpdate>;

const JobParams = z.object({ id: Id });

const errorsOfOne = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listJobs = defineRoute({
  operationId: 'listJobs',
  method: 'get',
  path: '/v1/jobs',
  summary: 'List jobs',
  description: 'The newest first, finished ones too.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Job), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', ...errorsOfOne],
});

export const createJob = defineRoute({
  operationId: 'createJob',
  method: 'post',
  path: '/v1/jobs',
  summary: 'Redo components for every item',
  description:
    'Of the items that are there now, in the trash too. One job of a user at a time: another one is refused until it is finished.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  body: JobCreate,
  example: { body: { components: ['METADATA', 'PLACES'] } },
  responses: { 201: { description: 'Created.', schema: Job, headers: ['Location'] } },
  errors: [...bodyErrors, 'CONFLICT', ...errorsOfOne],
});

export const getJob = defineRoute({
  operationId: 'getJob',
  method: 'get',
  path: '/v1/jobs/{id}',
  summary: 'Get a job',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  params: JobParams,
  example: { params: { id: '$JOB' } },
  responses: { 200: { description: 'The job.', schema: Job } },
  errors: [...inputErrors, ...errorsOfOne],
});

export const updateJob = defineRoute({
  operationId: 'updateJob',
  method: 'put',
  path: '/v1/jobs/{id}',
  summary: 'Pause, resume or stop a job',
  description:
    '`PAUSED` and `STOPPED` begin nothing more, and keep what is done; `RUNNING` goes on with a paused job. The state that it has may always be asked for.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  params: JobParams,
  body: JobUpdate,
  example: { params: { id: '$JOB' }, body: { status: 'PAUSED' } },
  responses: { 204: { description: 'The job has that state.' } },
  errors: [...bodyErrors, 'CONFLICT', ...errorsOfOne],
});

function splitNames(value: string | readonly string[]): unknown {
  const names: unknown = typeof value === 'string' ? value.split(',') : value;
  return Array.isArray(names) ? names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name)) : names;
}
