import { sql, type RawBuilder } from 'kysely';
import { maxProcessingCount } from '@hearth/contract/limits.ts';
import { reasons, type Reason } from '@hearth/contract/reasons.ts';
import { componentNames, type ComponentName, type RunState } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import { retryRuns } from '@hearth/core/runs/retryRuns.ts';

/** Pending runs of one component, or runs that ended in the same state for the same reason. */
export interface RunGroup {
  readonly state: Extract<RunState, 'PENDING' | 'FAILED' | 'BLOCKED'>;
  readonly component: ComponentName;
  /** Null for pending runs. */
  readonly reason: Reason | null;
  /** At most `maxProcessingCount`. */
  readonly count: number;
  /** Up to three of the visible items. */
  readonly examples: readonly string[];
}

/** Items per group to search for visible examples, so that trashed ones do not exhaust them. */
const maxCheckedItems = 100;

/**
 * Lists pending and active runs, both as `PENDING`, and failed and blocked runs of a user's library. Counts each group
 * in one range of an index, up to a limit, so the cost grows neither with the library nor with other users' runs.
 * Omits reasons that this version does not know.
 */
export const listRunGroups = async (db: Database, userId: string): Promise<RunGroup[]> => {
  const owner = hideFromPlanner(userId, 'uuid');
  const { rows } = await sql<RunGroup>`
    select 'PENDING' as state, kind.component, null as reason, counted.n as count, '{}'::uuid[] as examples
    from unnest(${[...componentNames]}::text[]) with ordinality as kind (component, place)
      cross join lateral (${selectCount(sql`user_id = ${owner} and state in ('PENDING', 'RUNNING') and component = kind.component`)}) as counted
    where counted.n > 0
    union all (${selectGroups('FAILED', owner)}) union all (${selectGroups('BLOCKED', owner)})`.execute(
    prepared(db, 'run_groups'),
  );
  return rows;
};

/** Groups of one state, which is a literal so that the planner can use the partial index. */
const selectGroups = (state: 'FAILED' | 'BLOCKED', owner: RawBuilder<string>): RawBuilder<unknown> => {
  const isOfGroup = sql`
    user_id = ${owner} and state = ${sql.lit(state)} and component = kind.component and reason = kind.reason`;
  return sql`
    select ${sql.lit(state)}, kind.component, kind.reason, counted.n, array(
      select item.id
      from (select media_item_id from component_runs where ${isOfGroup} order by media_item_id desc limit ${sql.lit(maxCheckedItems)}) as run
        join media_items as item on item.id = run.media_item_id
      where item.visibility = 'visible' order by item.id desc limit 3)
    from (
      select component, reason
      from unnest(${[...componentNames]}::text[]) as component, unnest(${Object.keys(reasons)}::text[]) as reason
    ) as kind
      cross join lateral (${selectCount(isOfGroup)}) as counted
    where counted.n > 0`;
};

const selectCount = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select count(*)::int as n from (
    select from component_runs where ${condition} limit ${sql.lit(maxProcessingCount)}) as bounded`;

export interface FailureFilter {
  readonly component?: ComponentName | undefined;
  readonly reason?: Reason | undefined;
}

/** Items per transaction, which locks their rows for about 0.2 s. */
const batchSize = 100;

/**
 * Makes failed runs of at most `limit` of a user's items due again and resets their attempts. Returns the number of items and
 * whether none is left. The sweeper enqueues them. An item that was `FAILED` because of such a run becomes `PROCESSING`;
 * a READY one stays READY.
 */
export const retryFailedRuns = async (
  db: Database,
  userId: string,
  { component, reason }: FailureFilter,
  limit: number,
): Promise<{ readonly retried: number; readonly isComplete: boolean }> => {
  const condition = sql<boolean>`
    user_id = ${userId} and state = 'FAILED'
    ${component === undefined ? sql`` : sql`and component = ${component}`}
    ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`;
  const { rows } = await sql<{ id: string }>`
    select distinct media_item_id as id from component_runs where ${condition} order by id limit ${limit + 1}`.execute(
    db,
  );
  const ids = rows.slice(0, limit).map(({ id }) => id);
  let retried = 0;
  for (let first = 0; first < ids.length; first += batchSize)
    retried += await retryRuns(db, ids.slice(first, first + batchSize), condition);
  return { retried, isComplete: rows.length <= limit };
};
