import { sql, type RawBuilder } from 'kysely';
import type { ComponentName, FeatureName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type ComponentSpec, type Pipeline } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';
import type { Features, NewMediaItem } from '../db/schema.ts';
import { neverDue } from './waitingRuns.ts';

/** The components, and the features that are switched off for all users. */
export interface PipelineOptions {
  readonly components?: Pipeline;
  readonly featuresOff?: readonly FeatureName[] | undefined;
}

/**
 * Returns the initial runs of an item: one per component for its type that follows no other. Runs of features that are
 * switched off are skipped, and runs that have to wait are deferred.
 */
export const createInitialRuns = (
  { id: media_item_id, user_id, type }: Pick<NewMediaItem, 'id' | 'user_id' | 'type'>,
  features: Features,
  { components = builtComponents, featuresOff = [] }: PipelineOptions,
) => {
  const isOff = ({ feature }: ComponentSpec): boolean =>
    feature !== undefined && (features[feature] === false || featuresOff.includes(feature));
  const first = components.filter(({ pools, follows }) => pools[type] !== undefined && follows === undefined);
  const enabled = new Set(first.flatMap((spec) => (isOff(spec) ? [] : spec.name)));
  const mustWait = ({ after = [] }: ComponentSpec): boolean => after.some((needed) => enabled.has(needed));
  const createRun = (spec: ComponentSpec) => {
    const run = { media_item_id, user_id, component: spec.name, type, version: spec.version };
    if (!enabled.has(spec.name)) return { ...run, ...skipped };
    return mustWait(spec) ? { ...run, next_attempt_at: neverDue } : run;
  };
  return first.map((spec) => createRun(spec));
};

const skipped = { state: 'SKIPPED', reason: 'FEATURE_OFF', finished_at: sql<Date>`now()` } as const;

/** Condition that the run's feature is switched off for the item's owner. */
export const isSwitchedOff = (
  { components = builtComponents, featuresOff = [] }: PipelineOptions,
  run: string,
  item: string,
): RawBuilder<boolean> => {
  const withFeature = components.filter(({ feature }) => feature !== undefined);
  if (withFeature.length === 0) return sql<boolean>`false`;
  return sql<boolean>`exists (
    select from users as owner
      join unnest(${withFeature.map(({ name }) => name)}::text[], ${withFeature.map(({ feature }) => feature)}::text[])
        as component_feature (component, feature) on component_feature.component = ${sql.ref(`${run}.component`)}
    where owner.id = ${sql.ref(`${item}.user_id`)}
      and (component_feature.feature = any(${featuresOff}::text[]) or owner.features -> component_feature.feature = 'false'))`;
};

/** Skips those due runs of an item that no worker holds and whose feature is off. Their earlier results stay. */
export const skipSwitchedOffRuns = async (
  db: Database,
  mediaItemId: string,
  options: PipelineOptions,
): Promise<void> => {
  await sql`
    with due as materialized (
      select run.media_item_id, run.component
      from component_runs as run join media_items as item on item.id = run.media_item_id
      where run.media_item_id = ${mediaItemId}
        and (run.state = 'PENDING' or run.state = 'RUNNING' and run.lease_until < clock_timestamp())
        and ${isSwitchedOff(options, 'run', 'item')}
      for update of run skip locked
    )
    update component_runs as run set
      state = 'SKIPPED', reason = 'FEATURE_OFF', claim_id = null, lease_until = null, finished_at = now(),
      job_id = null, earlier = null
    from due where run.media_item_id = due.media_item_id and run.component = due.component`.execute(db);
};

/**
 * Skips the run of a component whose feature was switched off while it ran. For the transaction that records its
 * outcome.
 */
export const skipRun = async (trx: Database, mediaItemId: string, component: ComponentName): Promise<void> => {
  await trx
    .updateTable('component_runs')
    .set(skipped)
    .where('media_item_id', '=', mediaItemId)
    .where('component', '=', component)
    .execute();
};
