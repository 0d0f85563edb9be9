import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { ListQuery } from './query.ts';
import { Id, Timestamp, word } from './scalars.ts';
import { jobComponentNames, jobStatuses } from './vocabulary.ts';

export const Job = z
  .object({
    id: Id,
    userId: Id.meta({ description: 'Id of the owner.' }),
    components: z.array(z.enum(jobComponentNames)),
    status: z.enum(jobStatuses),
    lastMediaItemId: Id.optional().meta({ description: 'All items up to this one were processed.' }),
    progress: z
      .object({ total: z.int().min(0), done: z.int().min(0), failed: z.int().min(0) })
      .meta({ description: 'The number of items: in total, processed, and with a failed component.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Job', description: 'Reprocesses components of all items of a user.' });
export type Job = z.infer<typeof Job>;

/** Accepts the components as a list or as text with commas: at least one, without duplicates. */
export const JobCreate = z
  .strictObject({
    components: z
      .preprocess(
        splitNames,
        z
          .array(word(jobComponentNames))
          .min(1)
          .refine((names) => new Set(names).size === names.length, 'must not contain a component twice'),
      )
      .meta({
        description: 'Case-insensitive, without duplicates. Also accepted as text with commas.',
        uniqueItems: true,
      }),
  })
  .meta({ id: 'JobCreate', description: 'A new job.' });
export type JobCreate = z.infer<typeof JobCreate>;

export const JobUpdate = z
  .strictObject({ status: word(jobStatuses).meta({ description: 'Case-insensitive.' }) })
  .meta({ id: 'JobUpdate', description: 'The requested status of the job.' });
export type JobUpdate = z.infer<typeof JobUpdate>;

const JobParams = z.object({ id: Id });

const singleItemErrors = ['UNAUTHORIZED', 'NOT_FOUND', ...serverErrors] as const;

export const listJobs = defineRoute({
  operationId: 'listJobs',
  method: 'get',
  path: '/v1/jobs',
  summary: 'List jobs',
  description: 'Newest first, including finished ones.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Job), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', ...singleItemErrors],
});

export const createJob = defineRoute({
  operationId: 'createJob',
  method: 'post',
  path: '/v1/jobs',
  summary: 'Reprocess components of all items',
  description:
    'Includes all items that exist now, even those in the trash. A user can have one unfinished job at a time.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  body: JobCreate,
  example: { body: { components: ['METADATA', 'PLACES'] } },
  responses: { 201: { description: 'Created.', schema: Job, headers: ['Location'] } },
  errors: [...bodyErrors, 'CONFLICT', ...singleItemErrors],
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
  errors: [...inputErrors, ...singleItemErrors],
});

export const updateJob = defineRoute({
  operationId: 'updateJob',
  method: 'put',
  path: '/v1/jobs/{id}',
  summary: 'Pause, resume or stop a job',
  description:
    '`PAUSED` and `STOPPED` start no further runs and keep the results; `RUNNING` resumes a paused job. Requesting the current status is allowed.',
  tag: 'jobs',
  auth: 'bearer',
  feature: 'jobs',
  params: JobParams,
  body: JobUpdate,
  example: { params: { id: '$JOB' }, body: { status: 'PAUSED' } },
  responses: { 204: { description: 'The job has this status.' } },
  errors: [...bodyErrors, 'CONFLICT', ...singleItemErrors],
});

function splitNames(value: string | readonly string[]): unknown {
  const names: unknown = typeof value === 'string' ? value.split(',') : value;
  return Array.isArray(names) ? names.map((name: unknown) => (typeof name === 'string' ? name.trim() : name)) : names;
}
