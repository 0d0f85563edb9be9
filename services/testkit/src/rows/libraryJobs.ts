import { sql } from 'kysely';
import type { ComponentName, JobStatus, RunState } from '@hearth/contract/vocabulary.ts';
import { claimRun, type Claim } from '@hearth/core/runs/componentRuns.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { recordOutcome, type Outcome } from '@hearth/core/runs/runOutcomes.ts';
import { createInitialRuns } from '@hearth/core/runs/switchedOffRuns.ts';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import { newMediaItem } from './factories.ts';

/** Lease duration of runs in these tests, in ms. */
const leaseMs = 60_000;

/** Creates items that have been READY for an hour, with all runs done. Returns their ids in order. */
export const buildReadyItems = async (db: Database, userId: string, count: number): Promise<string[]> => {
  const items = Array.from({ length: count }, () => newMediaItem(userId, { status: 'READY' }));
  const ids = items.map(({ id }) => id).toSorted();
  const runs = items.flatMap((item) => createInitialRuns(item, {}, {}));
  if (count === 0) return ids;
  await transaction(db, async (trx) => {
    await trx.insertInto('media_items').values(items).execute();
    await trx.insertInto('component_runs').values(runs).execute();
    await setRuns(trx, ids, { state: 'DONE' });
  });
  return ids;
};

/** Sets the runs of items, of one component or of all, as if they had ended an hour ago. */
export const setRuns = async (
  db: Database,
  ids: readonly string[],
  run: { readonly state: RunState; readonly reason?: string },
  component?: ComponentName,
): Promise<void> => {
  await sql`
    update component_runs set state = ${run.state}, reason = ${run.reason ?? null}, attempts = 1,
      finished_at = now() - interval '1 hour', next_attempt_at = now()
    where media_item_id = any(${ids}::uuid[]) and component = coalesce(${component ?? null}, component)`.execute(db);
};

/** Returns the states of an item's runs, by component. */
export const listStates = async (db: Database, id: string): Promise<Record<string, RunState>> => {
  const runs = await db
    .selectFrom('component_runs')
    .select(['component', 'state'])
    .where('media_item_id', '=', id)
    .execute();
  return Object.fromEntries(runs.map(({ component, state }) => [component, state]));
};

/** Claims a due run of an item in any pool, like a worker. */
export const startRun = async (db: Database, id: string): Promise<Claim | undefined> => {
  for (const pool of poolNames) {
    const claim = await claimRun(db, id, pool, leaseMs);
    if (claim !== undefined) return claim;
  }
  return undefined;
};

/** Executes the due runs of an item, like a worker, and returns their components. */
export const processItem = async (
  db: Database,
  id: string,
  getOutcome: (claim: Claim) => Outcome = () => ({ state: 'DONE', warnings: [] }),
): Promise<string[]> => {
  const ran: string[] = [];
  for (let claim = await startRun(db, id); claim !== undefined; claim = await startRun(db, id)) {
    ran.push(claim.component);
    await recordOutcome(db, claim, getOutcome(claim));
  }
  return ran;
};

/** Returns status, last item and progress of a job. */
export const getJobState = async (
  db: Database,
  id: string,
): Promise<{ status: JobStatus; last: string | null; progress: readonly number[] }> => {
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { status: job.status, last: job.last_media_item_id, progress: [job.total, job.done, job.failed] };
};
