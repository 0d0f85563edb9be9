import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { countedState } from './jobRuns.ts';
import type { MediaItemChanges } from '../db/schema.ts';
import { releaseRuns } from './waitingRuns.ts';

/**
 * Updates the status of an item: READY when every required run is done or skipped, FAILED when one has failed. A READY
 * item stays READY: if a run is repeated and fails, the earlier result stays. Makes runs due that waited for a finished
 * one.
 * @returns the due runs of the item
 */
export const updateStatus = async (
  trx: Database,
  mediaItemId: string,
  changes: MediaItemChanges = {},
  pipeline: Pipeline = components,
): Promise<readonly ComponentName[]> => {
  const [row] = await prepared(trx, 'update_status')
    .with('released', () => sql<{ component: ComponentName }>`(${releaseRuns(mediaItemId, pipeline)})`)
    .updateTable('media_items')
    .set({
      ...changes,
      status: sql`(
        select case
          when bool_and(${countedState} in ('DONE', 'SKIPPED')) or media_items.status = 'READY' then 'READY'
          when bool_or(${countedState} = 'FAILED') then 'FAILED'
          else 'PROCESSING'
        end
        from component_runs where media_item_id = ${mediaItemId} and component = any(array[${sql.join(listRequiredComponents(pipeline).map((name) => sql.lit(name)))}]::text[]))`,
      updated_at: sql`now()`,
    })
    .where('id', '=', mediaItemId)
    // Returned by the same statement, which saves workers a query.
    .returning(dueRuns(mediaItemId).as('due'))
    .execute();
  return row?.due ?? [];
};

/** Makes runs due that waited for a finished one, and returns the due runs of the item. */
export const listDueRuns = async (
  trx: Database,
  mediaItemId: string,
  pipeline: Pipeline,
): Promise<readonly ComponentName[]> => {
  const due = prepared(trx, 'due_runs')
    .with('released', () => sql<{ component: ComponentName }>`(${releaseRuns(mediaItemId, pipeline)})`)
    .selectNoFrom(dueRuns(mediaItemId).as('due'));
  return (await due.executeTakeFirstOrThrow()).due;
};

/** Selects the due runs of an item. Adds the released ones, because a statement does not see its own changes. */
const dueRuns = (mediaItemId: string) => sql<ComponentName[]>`array(
  select component from released union
  select component from component_runs where media_item_id = ${mediaItemId}
    and (state = 'PENDING' and next_attempt_at <= clock_timestamp()
      or state = 'RUNNING' and lease_until < clock_timestamp()))`;

/** Returns the components that must be done or skipped before an item is READY. */
export const listRequiredComponents = (pipeline: Pipeline): readonly ComponentName[] =>
  pipeline.filter(({ required }) => required).map(({ name }) => name);
