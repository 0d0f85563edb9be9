import { sql } from 'kysely';
import { versionOf, type BuiltComponent } from '../../pipeline.ts';
import type { Database } from '../connection/database.ts';
import { earlierDue } from './jobRuns.ts';
import type { Claim } from './componentRuns.ts';

/** Makes runs due that an item needs; one that is done by the present version, or is on its way, stays as it is. */
export const askForRuns = async (
  trx: Database,
  { mediaItemId, userId, type }: Pick<Claim, 'mediaItemId' | 'userId' | 'type'>,
  wanted: readonly BuiltComponent[],
): Promise<void> => {
  const ofItem = { media_item_id: mediaItemId, user_id: userId, type };
  const runs = wanted.map((component) => ({ ...ofItem, component, version: versionOf(component) }));
  if (runs.length === 0) return;
  await trx
    .insertInto('component_runs')
    .values(runs)
    .onConflict((on) =>
      on
        .columns(['media_item_id', 'component'])
        .doUpdateSet({ state: 'PENDING', attempts: 0, reason: null, next_attempt_at: sql`now()` })
        .where((eb) =>
          eb.or([
            eb('component_runs.state', 'in', ['FAILED', 'SKIPPED']),
            eb.and([
              eb('component_runs.state', '=', 'DONE'),
              eb('component_runs.version', '<', eb.ref('excluded.version')),
            ]),
          ]),
        ),
    )
    .execute();
  // Runs that are due for a job already: where the item needs them too, they stay due when the job is paused.
  await sql`
    update component_runs as run set earlier = ${earlierDue}
    where media_item_id = ${mediaItemId} and component = any(${wanted}::text[]) and job_id is not null
      and (earlier ->> 'state' in ('FAILED', 'SKIPPED') or (earlier ->> 'version')::int <
        (${runs.map(({ version }) => version)}::int[])[array_position(${wanted}::text[], component)])`.execute(trx);
};
