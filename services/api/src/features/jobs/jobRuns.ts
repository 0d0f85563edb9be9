import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type ComponentSpec, type Pipeline } from '@hearth/core/config/pipeline.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { isSwitchedOff, type PipelineOptions } from '@hearth/core/runs/switchedOffRuns.ts';
import { releaseRuns } from '@hearth/core/runs/waitingRuns.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/** Returns the components that a job over `names` reprocesses, including those that follow them. */
export const listReprocessedComponents = (
  names: readonly ComponentName[],
  components: Pipeline = builtComponents,
): readonly ComponentSpec[] =>
  components.filter(({ name, follows }) => names.includes(name) || (follows !== undefined && names.includes(follows)));

/**
 * Makes runs of locked items due for a job. Skips runs that are due or active, finished after the job was created,
 * blocked (they resume by themselves), or of a feature that is switched off.
 */
export const openRuns = async (
  trx: Database,
  job: { readonly id: string; readonly components: readonly ComponentName[] },
  mediaItemIds: readonly string[],
  options: PipelineOptions,
): Promise<OpenedRun[]> => {
  const reprocessed = listReprocessedComponents(job.components, options.components);
  const names = reprocessed.map(({ name }) => name);
  if (names.length === 0 || mediaItemIds.length === 0) return [];
  // Creates missing runs, for components that were added after the item.
  const independent = reprocessed
    .filter(({ follows }) => follows === undefined)
    .flatMap(({ name, version, pools }) => Object.keys(pools).map((type) => ({ name, version, type })));
  const created = await sql<OpenedRun>`
    insert into component_runs (media_item_id, user_id, component, type, version, job_id)
    select item.id, item.user_id, run.component, item.type, run.version, ${job.id}
    from media_items as item
      join unnest(${independent.map(({ name }) => name)}::text[], ${independent.map(({ version }) => version)}::int[],
        ${independent.map(({ type }) => type)}::text[]) as run (component, version, type) on run.type = item.type
    where item.id = any(${mediaItemIds}::uuid[]) and not ${isSwitchedOff(options, 'run', 'item')}
      and not exists (select from component_runs as existing
        where existing.media_item_id = item.id and existing.component = run.component)
    on conflict do nothing
    returning media_item_id as "mediaItemId", component, type`.execute(trx);
  const reprocessedRuns = await sql<OpenedRun>`
    update component_runs as run set
      job_id = ${job.id}, state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now(),
      earlier = jsonb_build_object(
        'state', run.state, 'version', run.version, 'attempts', run.attempts, 'reason', run.reason)
    from media_items as item
    where run.media_item_id = any(${mediaItemIds}::uuid[]) and run.component = any(${names}::text[])
      and item.id = run.media_item_id
      and run.state in ('DONE', 'FAILED', 'SKIPPED')
      and coalesce(run.finished_at < (select created_at from jobs where id = ${job.id}), true)
      and not ${isSwitchedOff(options, 'run', 'item')}
    returning run.media_item_id as "mediaItemId", run.component, run.type`.execute(trx);
  return created.rows.concat(reprocessedRuns.rows);
};

/** Condition that no worker holds the run: it has not started, waits for a retry, or its worker has vanished. */
const isIdle = sql<boolean>`(state = 'PENDING' or state = 'RUNNING' and lease_until < clock_timestamp())`;

/**
 * Restores the earlier values of a job's runs that no worker holds, and deletes such runs that the job created. Requires
 * a lock on the job.
 */
export const withdrawRuns = async (trx: Database, jobId: string): Promise<void> => {
  // Locks items before runs and by id, like all other transactions.
  const { rows: items } = await sql<{ id: string }>`
    select id from media_items
    where id in (select media_item_id from component_runs where job_id = ${jobId}) order by id for no key update`.execute(
    trx,
  );
  await sql`delete from component_runs where job_id = ${jobId} and earlier is null and ${isIdle}`.execute(trx);
  await sql`
    update component_runs set
      state = earlier ->> 'state', version = (earlier ->> 'version')::int, attempts = (earlier ->> 'attempts')::int,
      reason = earlier ->> 'reason', claim_id = null, lease_until = null, progress = null, job_id = null, earlier = null
    where job_id = ${jobId} and earlier is not null and ${isIdle}`.execute(trx);
  await releaseRuns(items.map(({ id }) => id)).execute(trx);
};

/**
 * Returns jobs that are not running but still have idle runs: runs that were active at the pause, failed, and wait for
 * a retry.
 */
export const listEndedJobsWithRuns = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct job_id as id from component_runs
    where job_id is not null and ${isIdle}
      and job_id not in (select id from jobs where status in ('SCHEDULED', 'RUNNING'))`.execute(db);
  return rows.map(({ id }) => id);
};
