import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { versionOf } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';
import { earlierDue } from './jobRuns.ts';
import type { Claim } from './componentRuns.ts';

/** Makes runs due that an item needs. Skips those that are done in the current version, due or active. */
export const askForRuns = async (
  trx: Database,
  { mediaItemId, userId, type }: Pick<Claim, 'mediaItemId' | 'userId' | 'type'>,
  wanted: readonly ComponentName[],
): Promise<void> => {
  if (wanted.length === 0) return;
  const versions = wanted.map((component) => versionOf(component));
  await sql`
    insert into component_runs as run (media_item_id, user_id, component, type, version)
    select ${mediaItemId}, ${userId}, wanted.component, ${type}, wanted.version
    from unnest(${wanted}::text[], ${versions}::int[]) as wanted (component, version)
    on conflict (media_item_id, component) do update set
      state = 'PENDING', attempts = 0, reason = null, next_attempt_at = now()
    where run.state in ('FAILED', 'SKIPPED') or run.state = 'DONE' and run.version < excluded.version`.execute(trx);
  // Runs that are already due for a job: if the item needs them, too, they stay due when the job is paused.
  await sql`
    update component_runs as run set earlier = ${earlierDue}
    where media_item_id = ${mediaItemId} and component = any(${wanted}::text[]) and job_id is not null
      and (earlier ->> 'state' in ('FAILED', 'SKIPPED') or (earlier ->> 'version')::int <
        (${versions}::int[])[array_position(${wanted}::text[], component)])`.execute(trx);
};
