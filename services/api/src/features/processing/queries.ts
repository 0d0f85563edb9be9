import { sql, type RawBuilder } from 'kysely';
import { maxProcessingCount } from '@hearth/contract/limits.ts';
import { reasons, type Reason } from '@hearth/contract/reasons.ts';
import { componentNames, type ComponentName, type RunState } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hiddenFromPlanner } from '@hearth/core/db/preparedStatements.ts';

/** Runs of one component that wait, or that have come to the same for the same reason. */
export interface RunGroup {
  readonly state: Extract<RunState, 'PENDING' | 'FAILED' | 'BLOCKED'>;
  readonly component: ComponentName;
  /** None of those that wait. */
  readonly reason: Reason | null;
  /** At most `maxProcessingCount`. */
  readonly count: number;
  /** Up to three of the items that are neither hidden nor in the trash. */
  readonly examples: readonly string[];
}

/** Items of a group that are looked at for examples: of so many, not all are in the trash. */
const lookedAt = 100;

/**
 * What is under way in a user's library, as `PENDING` whether it waits or is being worked on, and what went wrong. Each group is counted in its
 * part of one index, up to a bound, so that the cost grows neither with the library nor with what others have. Reasons that this version does not
 * know are left out.
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

/** The groups of one state. It is a literal, so that the planner can match it with the partial index. */
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
