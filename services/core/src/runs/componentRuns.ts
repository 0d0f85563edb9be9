import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { ComponentName, MediaItemType } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, componentsIn, type Pipeline, type PoolName } from '../config/pipeline.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { ComponentRunRow } from '../db/schema.ts';
import { isSwitchedOff, skipSwitchedOffRuns, type PipelineOptions } from './switchedOffRuns.ts';
import { mustWait, deferRuns, releaseRuns } from './waitingRuns.ts';

/** Maximum number of attempts of a run. */
export const maxAttempts = 5;

/** A run of this process, which no other process may finish during its lease. */
export interface Claim {
  readonly mediaItemId: string;
  readonly component: ComponentName;
  readonly claimId: string;
  /** The owner of the item. */
  readonly userId: string;
  readonly type: MediaItemType;
  /** The item's content identifier at the start of the run. */
  readonly contentIdentifier: string | null;
  /** Counted from 1, including this one. */
  readonly attempts: number;
  /** An earlier attempt timed out. */
  readonly hasTimedOut: boolean;
}

/**
 * Starts the next due run of an item in a pool, in the order of the pipeline, with runs of jobs last. Commits the
 * attempt and the lease before work starts, so that a file that crashes workers is not retried forever. Restarts a run
 * with an expired lease. If it finds no run to start, it also skips runs of features that are switched off by now and
 * defers runs that have to wait.
 */
export const claimRun = async (
  db: Database,
  mediaItemId: string,
  pool: PoolName,
  leaseMs: number,
  { components = builtComponents, featuresOff }: PipelineOptions = {},
): Promise<Claim | undefined> => {
  const inPool = componentsIn(pool, components);
  const options = { components: inPool, featuresOff };
  const names = inPool.map(({ name }) => name);
  // A CTE, which is evaluated once. A subquery would be evaluated for each joined row and find another run each time.
  const { rows } = await sql<Claim>`
    with due as materialized (
      select candidate.component, item.user_id, item.content_identifier
      from component_runs as candidate join media_items as item on item.id = candidate.media_item_id
      where candidate.media_item_id = ${mediaItemId} and item.removing_at is null
        and (candidate.component, candidate.type) in (select * from ${selectRunKinds(pool, inPool)})
        and candidate.attempts < ${maxAttempts}
        and (candidate.state = 'PENDING' and candidate.next_attempt_at <= clock_timestamp()
          or candidate.state = 'RUNNING' and candidate.lease_until < clock_timestamp())
        and not ${isSwitchedOff(options, 'candidate', 'item')} and not ${mustWait('candidate', inPool)}
      order by candidate.job_id is not null, array_position(${names}::text[], candidate.component)
      limit 1
      for update of candidate skip locked
    )
    update component_runs as run set
      state = 'RUNNING', attempts = run.attempts + 1, claim_id = ${randomUUID()},
      version = (${inPool.map(({ version }) => version)}::int[])[array_position(${names}::text[], run.component)],
      lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond', progress = null
    from due
    where run.media_item_id = ${mediaItemId} and run.component = due.component
    returning run.media_item_id as "mediaItemId", run.component, run.claim_id as "claimId", run.attempts,
      run.attempts > 1 and run.reason is not distinct from 'TIMED_OUT' as "hasTimedOut", run.type, due.user_id as "userId", due.content_identifier as "contentIdentifier"`.execute(
    prepared(db, 'claim_run'),
  );
  // Only if nothing is left to do: most items have nothing to skip, so this is not queried before each run.
  if (rows.length === 0) await skipOrDeferRuns(db, mediaItemId, { components, featuresOff });
  return rows[0];
};

/** Returns SQL for the kinds of runs of a pool: a table with the columns `component` and `type`. */
export const selectRunKinds = (pool: PoolName, pipeline: Pipeline = builtComponents): RawBuilder<unknown> => {
  const kinds = componentsIn(pool, pipeline).flatMap(({ name, pools }) =>
    Object.entries(pools).flatMap(([type, { name: poolName }]) => (poolName === pool ? [[name, type] as const] : [])),
  );
  return sql`unnest(${kinds.map(([name]) => name)}::text[], ${kinds.map(([, type]) => type)}::text[]) as kinds (component, type)`;
};

/** Skips or defers those due runs of an item that must not start. Makes runs due that no longer have to wait. */
const skipOrDeferRuns = async (db: Database, mediaItemId: string, options: PipelineOptions): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`select from media_items where id = ${mediaItemId} for no key update`.execute(trx);
    await skipSwitchedOffRuns(trx, mediaItemId, options);
    await deferRuns(trx, mediaItemId, options.components);
    await releaseRuns(mediaItemId, options.components).execute(trx);
  });

/** Condition that a row is the run of this claim and no other process has claimed it since. */
export const isClaimedBy = ({ mediaItemId, component, claimId }: Claim): RawBuilder<boolean> => sql<boolean>`(
  component_runs.media_item_id = ${mediaItemId} and component_runs.component = ${component} and component_runs.claim_id = ${claimId})`;

/**
 * Extends the lease to `leaseMs` from now. Returns false if another process has claimed the run or the item is being
 * deleted.
 */
export const renewLease = async (db: Database, claim: Claim, leaseMs: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('component_runs')
    .set({ lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` })
    .where(isClaimedBy(claim))
    .where(sql<boolean>`exists (select from media_items where id = ${claim.mediaItemId} and removing_at is null)`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Records the progress of a run in percent, for readers of its item. Emits no event. */
export const recordProgress = async (db: Database, claim: Claim, percent: number): Promise<void> => {
  await db.updateTable('component_runs').set({ progress: percent }).where(isClaimedBy(claim)).execute();
};

export const listRuns = async (db: Database, mediaItemId: string): Promise<ComponentRunRow[]> =>
  prepared(db, 'item_runs').selectFrom('component_runs').selectAll().where('media_item_id', '=', mediaItemId).execute();
