import { sql } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, featureOf, type ComponentSpec } from '../pipeline.ts';
import type { Database } from './database.ts';
import type { Features } from './schema.ts';

/** Which components there are, and which features are switched off for everybody. */
export interface PipelineOptions {
  readonly components?: readonly ComponentSpec[];
  readonly featuresOff?: readonly FeatureName[] | undefined;
}

/** The runs with which an item of a user with these features begins; those of features that are switched off are skipped. */
export const firstRuns = (
  mediaItemId: string,
  features: Features,
  { components = builtComponents, featuresOff = [] }: PipelineOptions,
) =>
  components.map(({ name, version }) => {
    const feature = featureOf[name];
    const isOff = feature !== undefined && (features[feature] === false || featuresOff.includes(feature));
    return { media_item_id: mediaItemId, component: name, version, ...(isOff && skipped) };
  });

const skipped = { state: 'SKIPPED', reason: 'FEATURE_OFF', finished_at: sql<Date>`now()` } as const;

/** Skips what is due of an item and nobody works on, and belongs to a feature that its user does not have any more. */
export const skipSwitchedOffRuns = async (
  db: Database,
  mediaItemId: string,
  { components = builtComponents, featuresOff = [] }: PipelineOptions,
): Promise<void> => {
  const concerned = components.filter(({ name }) => featureOf[name] !== undefined);
  if (concerned.length === 0) return;
  await sql`
    with due as materialized (
      select run.media_item_id, run.component
      from component_runs as run
        join media_items as item on item.id = run.media_item_id
        join users as owner on owner.id = item.user_id
        join unnest(${concerned.map(({ name }) => name)}::text[], ${concerned.map(({ name }) => featureOf[name])}::text[])
          as belonging (component, feature) on belonging.component = run.component
      where run.media_item_id = ${mediaItemId}
        and (run.state = 'PENDING' or run.state = 'RUNNING' and run.lease_until < clock_timestamp())
        and (belonging.feature = any(${featuresOff}::text[]) or owner.features -> belonging.feature = 'false')
      for update of run skip locked
    )
    update component_runs as run set
      state = 'SKIPPED', reason = 'FEATURE_OFF', claim_id = null, lease_until = null, finished_at = now()
    from due where run.media_item_id = due.media_item_id and run.component = due.component`.execute(db);
};
