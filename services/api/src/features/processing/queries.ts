import { sql, type RawBuilder } from 'kysely';
import { maxProcessingCount } from '@hearth/contract/limits.ts';
import { reasons, type Reason } from '@hearth/contract/reasons.ts';
import { componentNames, type ComponentName, type RunState } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';

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
const lookedAt = 100;

/**
 * Lists pending and active runs, both as `PENDING`, and failed and blocked runs of a user's library. Counts each group
 * in its range of one index, up to a limit, so the cost grows neither with the library nor with other users' runs.
 * Omits reasons that this version does not know.
 */
export const listRunGroups = async (db: Database, userId: string): Promise<RunGroup[]> => {
  const owner = hiddenFromPlanner(userId, 'uuid');
  const { rows } = await sql<RunGroup>`
    select 'PENDING' as state, kind.component, null as reason, counted.n as count, '{}'::uuid[] as examples
    from unnest(${[...componentNames]}::text[]) with ordinality as kind (component, place)
      cross join lateral (${countOf(sql`user_id = ${owner} and state in ('PENDING', 'RUNNING') and component = kind.component`)}) as counted
    where counted.n > 0
    union all (${groupsOf('FAILED', owner)}) union all (${groupsOf('BLOCKED', owner)})`.execute(
    prepared(db, 'run_groups'),
  );
  return rows;
};

/** Groups of one state, which is a literal so that the planner can use the partial index. */
const groupsOf = (state: 'FAILED' | 'BLOCKED', owner: RawBuilder<string>): RawBuilder<unknown> => {
  const isOfGroup = sql`
    user_id = ${owner} and state = ${sql.lit(state)} and component = kind.component and reason = kind.reason`;
  return sql`
    select ${sql.lit(state)}, kind.component, kind.reason, counted.n, array(
      select item.id
      from (select media_item_id from component_runs where ${isOfGroup} order by media_item_id desc limit ${sql.lit(lookedAt)}) as run
        join media_items as item on item.id = run.media_item_id
      where item.visibility = 'visible' order by item.id desc limit 3)
    from (
      select component, reason
      from unnest(${[...componentNames]}::text[]) as component, unnest(${Object.keys(reasons)}::text[]) as reason
    ) as kind
      cross join lateral (${countOf(isOfGroup)}) as counted
    where counted.n > 0`;
};

const countOf = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select count(*)::int as n from (
    select from component_runs where ${condition} limit ${sql.lit(maxProcessingCount)}) as bounded`;
