import { sql } from 'kysely';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, type Pipeline } from '../config/pipeline.ts';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/preparedStatements.ts';
import { countedState } from './jobRuns.ts';
import type { MediaItemChanges } from '../db/schema.ts';
import { releaseRuns } from './waitingRuns.ts';

/**
 * An item is READY when every required run is done and FAILED when one has failed. Once READY it stays so: a result made
 * anew that fails leaves the earlier one in place. What has waited for a run that is over becomes due.
 * @returns what is due of the item now
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
        from component_runs where media_item_id = ${mediaItemId} and component = any(array[${sql.join(requiredOf(pipeline).map((name) => sql.lit(name)))}]::text[]))`,
      updated_at: sql`now()`,
    })
    .where('id', '=', mediaItemId)
    // Returned by the same statement, so that a worker need not ask again.
    .returning(dueRuns(mediaItemId).as('due'))
    .execute();
  return row?.due ?? [];
};

/** Makes due what has waited for a run that is over, and answers what is due of the item now. */
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

/** What is due of an item. A statement does not see its own changes, so the runs that it has released are added. */
const dueRuns = (mediaItemId: string) => sql<ComponentName[]>`array(
  select component from released union
  select component from component_runs where media_item_id = ${mediaItemId}
    and (state = 'PENDING' and next_attempt_at <= clock_timestamp()
      or state = 'RUNNING' and lease_until < clock_timestamp()))`;

/** What an item needs to be READY. */
export const requiredOf = (pipeline: Pipeline): readonly ComponentName[] =>
  pipeline.filter(({ required }) => required).map(({ name }) => name);
