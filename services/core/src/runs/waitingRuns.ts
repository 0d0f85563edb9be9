import { sql, type RawBuilder } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type Pipeline } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';

/*
 * [Note: Runs that wait] A run of a component that comes `after` others waits while a run of these, of the same item, is due or being worked on.
 * However the other run ends, the wait is over: a run that finds nothing to work with says so itself, and no job is held up for ever. A run that
 * waits is due at infinity, so that a list of due runs does not have to pass over a million of them. A run is put off when its item is made, or by
 * the first worker that comes to it too early. The transaction that ends a run also releases the runs that have waited for it. Both lock the item's
 * row, so that no run is put off after the moment at which it would have been released.
 */

/** When a run that waits is due, in SQL. */
export const never = sql<Date>`'infinity'::timestamptz`;

/** Whether a run has to wait, in SQL. */
export const hasToWait = (run: string, pipeline: Pipeline = builtComponents): RawBuilder<boolean> => {
  const edges = pipeline.flatMap(({ name, after = [] }) => after.map((needed) => [name, needed] as const));
  if (edges.length === 0) return sql<boolean>`false`;
  return sql<boolean>`exists (
    select from component_runs as needed
      join (values ${sql.join(edges.map(([name, needed]) => sql`(${sql.lit(name)}, ${sql.lit(needed)})`))})
        as edge (component, needed) on edge.needed = needed.component
    where needed.media_item_id = ${sql.ref(`${run}.media_item_id`)} and edge.component = ${sql.ref(`${run}.component`)}
      and needed.state in ('PENDING', 'RUNNING'))`;
};

/** The statement that makes due what has waited, of one item or several, and need not wait any more, and answers which components that is. */
export const releaseRuns = (items: string | readonly string[], pipeline?: Pipeline) => sql<{
  component: ComponentName;
}>`
  update component_runs as run set next_attempt_at = now()
  where run.media_item_id = ${typeof items === 'string' ? sql`${items}` : sql`any(${items}::uuid[])`} and run.state = 'PENDING' and run.next_attempt_at = ${never}
    and not ${hasToWait('run', pipeline)}
  returning run.component`;

/** Puts off what is due of an item too early. To be called where the item's row is locked. */
export const putOffRuns = async (trx: Database, mediaItemId: string, pipeline?: Pipeline): Promise<void> => {
  await sql`
    update component_runs as run set next_attempt_at = ${never}
    where run.media_item_id = ${mediaItemId} and run.state = 'PENDING' and run.next_attempt_at <= now()
      and ${hasToWait('run', pipeline)}`.execute(trx);
};
