import assert from 'node:assert/strict';
import { fc } from '../../run/fastCheck.ts';
import { jobStatuses } from '@hearth/contract/vocabulary.ts';
import { callAs, expectList, notFound } from './expectations.ts';
import type { Job } from './library.ts';
import { anyChoice, anyWalk, choose, step } from './steps.ts';

/* Jobs as the user sees them if no worker processes them. */

/** Allowed new states, by the present one. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SCHEDULED', 'PAUSED', 'STOPPED'],
  RUNNING: ['RUNNING', 'PAUSED', 'STOPPED'],
  PAUSED: ['PAUSED', 'RUNNING', 'STOPPED'],
  STOPPED: ['STOPPED'],
};

const expectedJob = ({ id, components, status, total }: Job) => [id, components, status, { total, done: 0, failed: 0 }];

const seenJob = (job: {
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
  async (actor, components) => {
    const { jobs, items } = actor.library;
    const isBusy = jobs.some(({ status }) => status !== 'STOPPED');
    const refusal = isBusy ? { status: 409, message: 'another job is still running' } : undefined;
    const answer = await callAs(actor, 'createJob', { body: { components } }, refusal);
    if (answer === undefined) return;
    const job = { id: answer.body.id, components, status: 'SCHEDULED', total: items.length };
    jobs.unshift(job);
    assert.deepEqual(seenJob(answer.body), expectedJob(job));
  },
);

const get = step('get job', anyChoice, async (actor, choice, scene) => {
  const { id, own } = choose('jobs', actor, scene, choice);
  const answer = await callAs(actor, 'getJob', { params: { id } }, own === undefined ? notFound('job') : undefined);
  if (answer !== undefined) assert.deepEqual(seenJob(answer.body), expectedJob(own!));
});

const list = step('list jobs', anyWalk, async (actor, walk) =>
  expectList(actor, 'listJobs', {}, walk, actor.library.jobs.map(expectedJob), seenJob),
);

const update = step(
  'update job',
  fc.tuple(anyChoice, fc.constantFrom(...jobStatuses)),
  async (actor, [choice, status], scene) => {
    const { id, own } = choose('jobs', actor, scene, choice);
    const isAllowed = own !== undefined && allowed[own.status]!.includes(status);
    const conflict = { status: 409, message: `a job that is ${own?.status} cannot become ${status}` };
    const refusal = own === undefined ? notFound('job') : isAllowed ? undefined : conflict;
    const answer = await callAs(actor, 'updateJob', { params: { id }, body: { status } }, refusal);
    if (answer !== undefined) own!.status = status;
  },
);

/** All steps on jobs, with their weights. */
export const jobSteps = [
  { weight: 2, arbitrary: create },
  { weight: 1, arbitrary: get },
  { weight: 1, arbitrary: list },
  { weight: 3, arbitrary: update },
];
