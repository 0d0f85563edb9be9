import { sql, type RawBuilder } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type Pipeline } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';

/*
 * [Note: Runs that wait] A run of a component that comes `after` others waits while one of their runs for the same item
 * is due or active. Any outcome of the other run ends the wait, so no run waits forever: a run whose input is missing
 * reports that itself. A waiting run is due at infinity, so that listing due runs does not have to skip a million of them.
 * A run is deferred when its item is created, or by the first worker that claims it too early. The transaction that
 * ends a run also releases the runs waiting for it. Both lock the item's row, so that no run is deferred after the
 * moment of its release.
 */

/** The due date of a waiting run. */
export const neverDue = sql<Date>`'infinity'::timestamptz`;

/** Condition that a run has to wait. */
export const mustWait = (run: string, pipeline: Pipeline = builtComponents): RawBuilder<boolean> => {
  const edges = pipeline.flatMap(({ name, after = [] }) => after.map((needed) => [name, needed] as const));
  if (edges.length === 0) return sql<boolean>`false`;
  return sql<boolean>`exists (
    select from component_runs as needed
      join (values ${sql.join(edges.map(([name, needed]) => sql`(${sql.lit(name)}, ${sql.lit(needed)})`))})
        as edge (component, needed) on edge.needed = needed.component
    where needed.media_item_id = ${sql.ref(`${run}.media_item_id`)} and edge.component = ${sql.ref(`${run}.component`)}
      and needed.state in ('PENDING', 'RUNNING'))`;
};

/** Makes waiting runs of items due that need not wait any more. Returns their components. */
export const releaseRuns = (items: string | readonly string[], pipeline?: Pipeline) => sql<{
  component: ComponentName;
}>`
  update component_runs as run set next_attempt_at = now()
  where run.media_item_id = ${typeof items === 'string' ? sql`${items}` : sql`any(${items}::uuid[])`} and run.state = 'PENDING' and run.next_attempt_at = ${neverDue}
    and not ${mustWait('run', pipeline)}
  returning run.component`;

/** Defers due runs of an item that have to wait. Requires a lock on the item's row. */
export const deferRuns = async (trx: Database, mediaItemId: string, pipeline?: Pipeline): Promise<void> => {
  await sql`
    update component_runs as run set next_attempt_at = ${neverDue}
    where run.media_item_id = ${mediaItemId} and run.state = 'PENDING' and run.next_attempt_at <= now()
      and ${mustWait('run', pipeline)}`.execute(trx);
};
