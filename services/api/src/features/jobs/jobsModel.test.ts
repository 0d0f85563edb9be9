import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { jobStatuses, type JobStatus } from '@hearth/contract/vocabulary.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { startRun, buildReadyItems } from '@hearth/testkit/rows/libraryJobs.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { maxAttempts, type Claim } from '@hearth/core/runs/componentRuns.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { changeJobStatus, getJob, insertJob, listJobs } from './queries.ts';
import { listUnfinishedJobs, stepJob, withdrawLeftoverRuns } from './jobSteps.ts';
import { listEndedJobsWithRuns } from './jobRuns.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 4 });
after(drop);

const itemCount = 6;
const window = 2;

/** A random step. Numbers select an item. */
type Step =
  | { readonly do: 'post' | 'step' | 'crash' | 'upload' }
  | { readonly do: 'put'; readonly status: JobStatus }
  | { readonly do: 'begin' | 'remove'; readonly item: number }
  | { readonly do: 'finish'; readonly state: EndState };

type EndState = 'DONE' | 'FAILED' | 'RETRY';

const item = fc.nat({ max: itemCount - 1 });
const state = fc.constantFrom<EndState>('DONE', 'DONE', 'FAILED', 'RETRY');
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('post' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('put' as const), status: fc.constantFrom(...jobStatuses) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('step' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('begin' as const), item }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('finish' as const), state }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('crash' as const, 'upload' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), item }) },
);

/** Expected state of a job. */
interface ExpectedJob {
  readonly id: string;
  status: JobStatus;
  /** Items that existed when the job was created. */
  readonly items: readonly string[];
  /** Items that the job has reprocessed. */
  readonly reprocessed: Set<string>;
}

/** A run that a worker has started for a job. */
interface StartedRun {
  readonly claim: Claim;
  readonly job: ExpectedJob;
}

const allowed: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  SCHEDULED: ['SCHEDULED', 'PAUSED', 'STOPPED'],
  RUNNING: ['RUNNING', 'PAUSED', 'STOPPED'],
  PAUSED: ['PAUSED', 'RUNNING', 'STOPPED'],
  COMPLETED: ['COMPLETED'],
  STOPPED: ['STOPPED'],
};

/** Creates a user in the database, and a model of the expected library and jobs of this user. */
const openModel = async () => {
  const { id: userId } = await buildUser(db);
  const items = await buildReadyItems(db, userId, itemCount);
  const presentItems = new Set(items);
  const jobs: ExpectedJob[] = [];
  const activeRuns: StartedRun[] = [];

  const post = async (): Promise<void> => {
    const last = jobs.at(-1)?.status;
    const job = await insertJob(db, userId, ['METADATA']).catch(ignoreConflict);
    assert.equal(job !== undefined, last === undefined || last === 'COMPLETED' || last === 'STOPPED');
    if (job !== undefined)
      jobs.push({ id: job.id, status: 'SCHEDULED', items: [...presentItems], reprocessed: new Set() });
  };

  const put = async (status: JobStatus): Promise<void> => {
    const job = jobs.at(-1);
    if (job === undefined) return;
    const isAllowed = allowed[job.status].includes(status);
    const isChanged = await changeJobStatus(db, userId, job.id, status).then(() => true, ignoreConflict);
    assert.equal(isChanged === true, isAllowed, `${job.status} to ${status}`);
    if (isAllowed) job.status = status;
  };

  const withdrawLeftovers = async (): Promise<void> => {
    for (const id of await listEndedJobsWithRuns(db)) await transaction(db, (trx) => withdrawLeftoverRuns(trx, id));
  };

  /** Runs the housekeeper once, as it does every second. */
  const step = async (): Promise<void> => {
    await withdrawLeftovers();
    for (const { id, status } of await listUnfinishedJobs(db)) {
      const job = jobs.find((each) => each.id === id);
      if (status === 'PAUSED' || job === undefined) continue;
      const { isCompleted } = await transaction(db, (trx) => stepJob(trx, id, window));
      job.status = isCompleted ? 'COMPLETED' : 'RUNNING';
    }
  };

  const begin = async (id: string): Promise<void> => {
    const claim = await startRun(db, id);
    if (claim === undefined) return;
    const job = jobs.at(-1)!;
    assert.equal(job.status, 'RUNNING', 'a run started after a pause');
    assert.ok(!job.reprocessed.has(id), 'an item is reprocessed twice');
    activeRuns.push({ claim, job });
  };

  const record = async ({ claim, job }: StartedRun, end: EndState): Promise<void> => {
    const outcome = end === 'DONE' ? { state: end, warnings: [] } : { state: end, reason: 'INTERNAL' };
    const recorded = await recordOutcome(db, claim, outcome);
    assert.equal(recorded !== undefined, presentItems.has(claim.mediaItemId));
    if (end !== 'RETRY' || claim.attempts === maxAttempts) job.reprocessed.add(claim.mediaItemId);
    // Makes retries due at once. The housekeeper runs before a worker, as it would after the delay.
    const due = { next_attempt_at: new Date(0) };
    await db.updateTable('component_runs').set(due).where('media_item_id', '=', claim.mediaItemId).execute();
    await withdrawLeftovers();
  };

  const finish = async (end: EndState): Promise<void> => {
    const run = activeRuns.shift();
    if (run !== undefined) await record(run, end);
  };

  /** Kills a worker, so that its lease expires. The sweeper ends a run after its last attempt. */
  const crash = async (): Promise<void> => {
    const run = activeRuns.shift();
    if (run?.claim.attempts === maxAttempts) return record(run, 'FAILED');
    const ended = { lease_until: new Date(0) };
    if (run !== undefined)
      await db.updateTable('component_runs').set(ended).where('claim_id', '=', run.claim.claimId).execute();
  };

  const upload = async (): Promise<void> => {
    for (const id of await buildReadyItems(db, userId, 1)) presentItems.add(id);
  };

  const remove = async (id: string): Promise<void> => {
    presentItems.delete(id);
    await db.updateTable('media_items').set({ removing_at: new Date() }).where('id', '=', id).execute();
  };

  const isHandled = ({ reprocessed }: ExpectedJob, id: string): boolean => reprocessed.has(id) || !presentItems.has(id);

  const check = async (): Promise<void> => {
    const listed = (await listJobs(db, userId, { limit: 100, start: { number: 1 } })).entries.map(({ id, status }) => [
      id,
      status,
    ]);
    assert.deepEqual(listed, jobs.map(({ id, status }) => [id, status]).toReversed());
    const rows = await db.selectFrom('media_items').select('status').where('user_id', '=', userId).execute();
    assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['READY']);
    for (const expected of jobs) {
      const job = await getJob(db, userId, expected.id);
      const passed = expected.items.filter((id) => id <= (job.last_media_item_id ?? ''));
      for (const id of passed) assert.ok(isHandled(expected, id), 'an unhandled item counts as handled');
      assert.ok(job.failed <= job.done && job.done <= passed.length && job.done <= job.total);
      if (job.status !== 'COMPLETED') continue;
      assert.equal(job.total, job.done);
      for (const id of expected.items) assert.ok(isHandled(expected, id), 'a completed job left out an item');
    }
  };

  const run = async (action: Step): Promise<void> => {
    if (action.do === 'put') return put(action.status);
    if (action.do === 'finish') return finish(action.state);
    if (action.do === 'begin') return begin(items[action.item]!);
    if (action.do === 'remove') return remove(items[action.item]!);
    return { post, step, crash, upload }[action.do]();
  };

  /** Runs the current job to its end. */
  const complete = async (): Promise<void> => {
    while (activeRuns.length > 0) await finish('DONE');
    for (let rounds = 0; ['SCHEDULED', 'RUNNING'].includes(jobs.at(-1)?.status ?? ''); rounds++) {
      assert.ok(rounds < 50, 'the job does not end');
      await step();
      for (const id of jobs.at(-1)!.items) await begin(id);
      while (activeRuns.length > 0) await finish('DONE');
      await check();
    }
  };

  return { run, check, complete };
};

const ignoreConflict = (error: unknown): undefined => {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
};

test('each job has its expected state and reprocesses each item once, for any sequence of requests, work and crashes', async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
    const model = await openModel();
    for (const each of steps) {
      await model.run(each);
      await model.check();
    }
    await model.complete();
  });
  await fc.assert(property, { numRuns: runs(40) });
});

test('checks the second of two concurrent status changes against the result of the first', async () => {
  const { id: userId } = await buildUser(db);
  await buildReadyItems(db, userId, 2);
  for (let times = 0; times < 10; times++) {
    const created = await Promise.all([1, 2, 3].map(() => insertJob(db, userId, ['METADATA']).catch(ignoreConflict)));
    const [job, ...others] = created.filter((each) => each !== undefined);
    assert.deepEqual(others, []);
    await changeJobStatus(db, userId, job!.id, 'PAUSED');
    const outcomes = await Promise.all(
      (['RUNNING', 'STOPPED'] as const).map((status) =>
        changeJobStatus(db, userId, job!.id, status).then(() => true, ignoreConflict),
      ),
    );
    assert.equal(outcomes[1], true);
    assert.equal((await getJob(db, userId, job!.id)).status, 'STOPPED');
  }
});
