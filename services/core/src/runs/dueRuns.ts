import { sql } from 'kysely';
import type { Pipeline, PoolName } from '../config/pipeline.ts';
import { kindsIn, maxAttempts } from './componentRuns.ts';
import { transaction, type Database } from '../db/database.ts';
import { noJob } from './jobRuns.ts';
import { updateStatus } from './itemStatus.ts';

export interface DueItem {
  readonly id: string;
  readonly userId: string;
  /** No user waits for it: the item is READY, or due only for a job. */
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
      select pending.* from ${kindsIn(pool, pipeline)} cross join lateral (
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
          and (run.component, run.type) in (select * from ${kindsIn(pool, pipeline)}) and removing_at is null
        order by lease_until limit ${limit})
    ) as due group by media_item_id, user_id order by min(due_at) limit ${limit}`.execute(db);
  return rows;
};

/** Maximum number of unready items to check per owner. This runs twice a second, and thousands may be blocked. */
const maxLooked = 200;

/**
 * Returns an item that is due in a pool, that no worker holds, and whose owner is not in `ownerIds`. Checks only the
 * newest unready items of each owner, so the cost per owner does not depend on how much others have waiting.
 */
export const findDueItemOfOthers = async (
  db: Database,
  pool: PoolName,
  ownerIds: readonly string[],
  pipeline?: Pipeline,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select due.id from users cross join lateral (
      select item.id from (
        select id from media_items
        where user_id = users.id and visibility = 'visible' and status = 'PROCESSING'
          and type = any(array(select kinds.type from ${kindsIn(pool, pipeline)}))
        order by local_time desc, id desc limit ${sql.lit(maxLooked)}
      ) as item
      where exists (
          select from component_runs as run
          where media_item_id = item.id and state = 'PENDING' and next_attempt_at <= now()
            and (component, type) in (select * from ${kindsIn(pool, pipeline)})
        )
        and not exists (
          select from component_runs where media_item_id = item.id and state = 'RUNNING' and lease_until > now()
        )
      limit 1
    ) as due
    where users.id <> all(${ownerIds}::uuid[]) limit 1`.execute(db);
  return rows[0]?.id;
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
