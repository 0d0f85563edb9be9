import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { jobStatuses } from '@hearth/contract/vocabulary.ts';
import { callAs, expectList, expectNotFound } from './expectations.ts';
import type { Job } from './library.ts';
import { anyChoice, anyPaging, choose, step } from './steps.ts';

/* Steps on jobs. No worker processes these jobs. */

/** Allowed new states by current state. */
const allowedStates: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SCHEDULED', 'PAUSED', 'STOPPED'],
  RUNNING: ['RUNNING', 'PAUSED', 'STOPPED'],
  PAUSED: ['PAUSED', 'RUNNING', 'STOPPED'],
  STOPPED: ['STOPPED'],
};

const toExpectedJob = ({ id, components, status, total }: Job) => [
  id,
  components,
  status,
  { total, done: 0, failed: 0 },
];

const toSeenJob = (job: {
  readonly id: string;
  readonly components: readonly string[];
  readonly status: string;
  readonly progress: object;
  readonly lastMediaItemId?: string;
}) => {
  assert.equal(job.lastMediaItemId, undefined);
  return [job.id, job.components, job.status, job.progress];
};

const create = step(
  'create job',
  fc.uniqueArray(fc.constantFrom('METADATA', 'PLACES', 'FACES'), { minLength: 1 }),
  async (modelUser, components) => {
    const { jobs, items } = modelUser.library;
    const isBusy = jobs.some(({ status }) => status !== 'STOPPED');
    const expectedError = isBusy ? { status: 409, message: 'another job is still running' } : undefined;
    const response = await callAs(modelUser, 'createJob', { body: { components } }, expectedError);
    if (response === undefined) return;
    const job = { id: response.body.id, components, status: 'SCHEDULED', total: items.length };
    jobs.unshift(job);
    assert.deepEqual(toSeenJob(response.body), toExpectedJob(job));
  },
);

const get = step('get job', anyChoice, async (modelUser, choice, context) => {
  const { id, own } = choose('jobs', modelUser, context, choice);
  const response = await callAs(
    modelUser,
    'getJob',
    { params: { id } },
    own === undefined ? expectNotFound('job') : undefined,
  );
  if (response !== undefined) assert.deepEqual(toSeenJob(response.body), toExpectedJob(own!));
});

const list = step('list jobs', anyPaging, async (modelUser, paging) =>
  expectList(modelUser, 'listJobs', {}, paging, modelUser.library.jobs.map(toExpectedJob), toSeenJob),
);

const update = step(
  'update job',
  fc.tuple(anyChoice, fc.constantFrom(...jobStatuses)),
  async (modelUser, [choice, status], context) => {
    const { id, own } = choose('jobs', modelUser, context, choice);
    const isAllowed = own !== undefined && allowedStates[own.status]!.includes(status);
    const conflict = { status: 409, message: `cannot change a job from ${own?.status} to ${status}` };
    const expectedError = own === undefined ? expectNotFound('job') : isAllowed ? undefined : conflict;
    const response = await callAs(modelUser, 'updateJob', { params: { id }, body: { status } }, expectedError);
    if (response !== undefined) own!.status = status;
  },
);

/** All steps on jobs, with their weights. */
export const jobSteps = [
  { weight: 2, arbitrary: create },
  { weight: 1, arbitrary: get },
  { weight: 1, arbitrary: list },
  { weight: 3, arbitrary: update },
];
