import { sql } from 'kysely';
import type { Pipeline, PoolName } from '@hearth/core/config/pipeline.ts';
import { selectRunKinds, maxAttempts } from '@hearth/core/runs/componentRuns.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { noJob } from '@hearth/core/runs/jobRuns.ts';
import { updateStatus } from '@hearth/core/runs/itemStatus.ts';

export interface DueItem {
  readonly id: string;
  readonly userId: string;
  /** True if no user waits for the item: it is READY, or due only for a job. */
  readonly isReady: boolean;
}

/**
 * Returns items with a due run in the pool that no worker holds, the longest due first. Reads each kind of run from its
 * own index range, which finds one video among a million photos quickly.
 */
export const listDueItems = async (
  db: Database,
  pool: PoolName,
  limit: number,
  pipeline?: Pipeline,
): Promise<DueItem[]> => {
  const { rows } = await sql<DueItem>`
    select media_item_id as id, user_id as "userId", bool_and(status = 'READY' or job_id is not null) as "isReady" from (
      select pending.* from ${selectRunKinds(pool, pipeline)} cross join lateral (
        select media_item_id, media_items.user_id, next_attempt_at as due_at, status, job_id
        from component_runs as run join media_items on media_items.id = media_item_id
        where state = 'PENDING' and run.component = kinds.component and run.type = kinds.type and next_attempt_at <= now()
          and removing_at is null
        order by next_attempt_at limit ${limit}
      ) as pending
      union all
      (select media_item_id, media_items.user_id, lease_until, status, job_id
        from component_runs as run join media_items on media_items.id = media_item_id
        where run.state = 'RUNNING' and lease_until < now() and attempts < ${maxAttempts}
          and (run.component, run.type) in (select * from ${selectRunKinds(pool, pipeline)}) and removing_at is null
        order by lease_until limit ${limit})
    ) as due group by media_item_id, user_id order by min(due_at) limit ${limit}`.execute(db);
  return rows;
};

const isCrashed = sql<boolean>`state = 'RUNNING' and lease_until < clock_timestamp() and attempts >= ${maxAttempts}`;

/** Returns true if `failCrashedRuns` has work. Called first, because holding a lease is a write even without work. */
export const hasCrashedRuns = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('component_runs').select('component').where(isCrashed).limit(1).executeTakeFirst()) !==
  undefined;

/** Fails runs whose worker vanished in the last attempt. Returns their number. */
export const failCrashedRuns = async (db: Database): Promise<number> =>
  transaction(db, async (trx) => {
    // Items are locked before runs and ordered by id, as everywhere, to avoid deadlocks.
    const { rows: items } = await sql<{ id: string }>`
      select id from media_items
      where id in (select media_item_id from component_runs where ${isCrashed}) order by id for update`.execute(trx);
    const ids = items.map(({ id }) => id);
    const { numUpdatedRows } = await trx
      .updateTable('component_runs')
      .set({ state: 'FAILED', reason: 'CRASHED', claim_id: null, lease_until: null, finished_at: sql`now()`, ...noJob })
      .where(sql<boolean>`media_item_id = any(${ids}::uuid[])`)
      .where(isCrashed)
      .executeTakeFirst();
    for (const id of ids) await updateStatus(trx, id);
    return Number(numUpdatedRows);
  });

/** Makes one blocked run per component and missing capability due, as a probe. Returns their number. */
export const probeBlockedRuns = async (db: Database): Promise<number> => {
  const { numAffectedRows } = await sql`
    update component_runs set state = 'PENDING', attempts = 0, next_attempt_at = now()
    where (media_item_id, component) in (
      select distinct on (component, blocked_on) media_item_id, component
      from component_runs where state = 'BLOCKED' order by component, blocked_on)`.execute(db);
  return Number(numAffectedRows ?? 0);
};
