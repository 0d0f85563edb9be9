import { sql } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import type { ComponentSpec } from '@hearth/core/config/pipeline.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { OpenedRun } from '@hearth/core/runs/jobRuns.ts';

/**
 * Selects the first `limit` runs of a component that were skipped because its feature was off, for users who now have
 * it on.
 */
const listSwitchedOn = ({ name, feature }: ComponentSpec, limit: number) => sql`
  select skipped.media_item_id
  from users cross join lateral (
    select media_item_id from component_runs
    where user_id = users.id and component = ${name} and state = 'SKIPPED' and reason = 'FEATURE_OFF'
    order by media_item_id limit ${sql.lit(limit)}) as skipped
  where users.removing_at is null and users.features -> ${feature ?? ''} is distinct from 'false'
    and (${name !== 'FACES'} or not exists (select from people_off where user_id = users.id))
  limit ${sql.lit(limit)}`;

/** Returns true if the component's feature is on for the server. */
const mayBeSwitchedOn = ({ feature }: ComponentSpec, featuresOff: readonly FeatureName[]): boolean =>
  feature !== undefined && !featuresOff.includes(feature);

/**
 * Returns true if `restartSwitchedOnRuns` has work. Called first, because holding a lease is a write even without work.
 */
export const hasSwitchedOnRuns = async (
  db: Database,
  spec: ComponentSpec,
  featuresOff: readonly FeatureName[],
): Promise<boolean> => {
  if (!mayBeSwitchedOn(spec, featuresOff)) return false;
  const { rows } = await listSwitchedOn(spec, 1).execute(db);
  return rows.length > 0;
};

/** Makes up to `limit` runs due that were skipped because their feature was off, and returns them. */
export const restartSwitchedOnRuns = async (
  db: Database,
  spec: ComponentSpec,
  featuresOff: readonly FeatureName[],
  limit: number,
): Promise<readonly OpenedRun[]> => {
  if (!mayBeSwitchedOn(spec, featuresOff)) return [];
  const { rows } = await sql<OpenedRun>`
    update component_runs set state = 'PENDING', reason = null, attempts = 0, next_attempt_at = now()
    where component = ${spec.name} and state = 'SKIPPED' and reason = 'FEATURE_OFF'
      and media_item_id in (${listSwitchedOn(spec, limit)})
    returning media_item_id as "mediaItemId", component, type`.execute(db);
  return rows;
};
