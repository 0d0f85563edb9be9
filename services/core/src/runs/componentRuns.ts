import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { ComponentName, MediaItemType } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, componentsIn, type Pipeline, type PoolName } from '../config/pipeline.ts';
import { transaction, type Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import type { ComponentRunRow } from '../db/schema.ts';
import { isSwitchedOff, skipSwitchedOffRuns, type PipelineOptions } from './switchedOffRuns.ts';
import { hasToWait, putOffRuns, releaseRuns } from './waitingRuns.ts';

/** How often a run is begun before it counts as failed for good. */
export const maxAttempts = 5;

/** A run that this process has begun and nobody else may finish while its lease lasts. */
export interface Claim {
  readonly mediaItemId: string;
  readonly component: ComponentName;
  readonly claimId: string;
  /** Of the item, when the run was begun. */
  readonly userId: string;
  readonly type: MediaItemType;
  readonly contentIdentifier: string | null;
  /** Counted from 1, this one included. */
  readonly attempts: number;
  /** An earlier attempt took longer than its time limit. */
  readonly hasTimedOut: boolean;
}

/**
 * Begins the next run of an item that is due in a pool, in the order of the pipeline and those of a job last, and answers what was begun. The
 * attempt is counted and the lease committed before any work starts, so that a file that kills its worker is not tried
 * for ever. A run whose lease ran out is begun anew; one of a feature that is switched off by now is skipped, and one that has to wait is put off.
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
  // In a CTE, which is evaluated once: as a subquery it is evaluated for each row joined with, and each time finds another run.
  const { rows } = await sql<Claim>`
    with due as materialized (
      select candidate.component, item.user_id, item.content_identifier
      from component_runs as candidate join media_items as item on item.id = candidate.media_item_id
      where candidate.media_item_id = ${mediaItemId} and item.removing_at is null
        and (candidate.component, candidate.type) in (select * from ${kindsIn(pool, inPool)})
        and candidate.attempts < ${maxAttempts}
        and (candidate.state = 'PENDING' and candidate.next_attempt_at <= clock_timestamp()
          or candidate.state = 'RUNNING' and candidate.lease_until < clock_timestamp())
        and not ${isSwitchedOff(options, 'candidate', 'item')} and not ${hasToWait('candidate', inPool)}
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
  // Only where nothing is left to do: most items have nothing to skip, so it is not asked before each run.
  if (rows.length === 0) await tidyRuns(db, mediaItemId, { components, featuresOff });
  return rows[0];
};

/** The kinds of runs that belong to a pool, in SQL: a table with the columns `component` and `type`. */
export const kindsIn = (pool: PoolName, pipeline: Pipeline = builtComponents): RawBuilder<unknown> => {
  const kinds = componentsIn(pool, pipeline).flatMap(({ name, pools }) =>
    Object.entries(pools).flatMap(([type, { name: own }]) => (own === pool ? [[name, type] as const] : [])),
  );
  return sql`unnest(${kinds.map(([name]) => name)}::text[], ${kinds.map(([, type]) => type)}::text[]) as kinds (component, type)`;
};

/** Skips and puts off what is due of an item and not to be begun. */
const tidyRuns = async (db: Database, mediaItemId: string, options: PipelineOptions): Promise<void> =>
  transaction(db, async (trx) => {
    await sql`select from media_items where id = ${mediaItemId} for no key update`.execute(trx);
    await skipSwitchedOffRuns(trx, mediaItemId, options);
    await putOffRuns(trx, mediaItemId, options.components);
    await releaseRuns(mediaItemId, options.components).execute(trx);
  });

/** Whether a run is the one that was begun by this claim and has not passed to another process. */
export const isHeldBy = ({ mediaItemId, component, claimId }: Claim): RawBuilder<boolean> => sql<boolean>`(
  component_runs.media_item_id = ${mediaItemId} and component_runs.component = ${component} and component_runs.claim_id = ${claimId})`;

/** Keeps a run alive for `leaseMs` from now; false when it has passed to another process, or its item is being removed: then nobody waits for it. */
export const renewLease = async (db: Database, claim: Claim, leaseMs: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('component_runs')
    .set({ lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` })
    .where(isHeldBy(claim))
    .where(sql<boolean>`exists (select from media_items where id = ${claim.mediaItemId} and removing_at is null)`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Notes how far a run has come, in percent, for whoever asks for its item; nobody is told by an event. */
export const recordProgress = async (db: Database, claim: Claim, percent: number): Promise<void> => {
  await db.updateTable('component_runs').set({ progress: percent }).where(isHeldBy(claim)).execute();
};

export const listRuns = async (db: Database, mediaItemId: string): Promise<ComponentRunRow[]> =>
  prepared(db, 'item_runs').selectFrom('component_runs').selectAll().where('media_item_id', '=', mediaItemId).execute();
