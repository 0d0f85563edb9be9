import { sql } from 'kysely';
import { components, type BuiltComponent } from '../../pipeline.ts';
import type { Database } from '../connection/database.ts';
import { countedState } from '../jobs/jobRuns.ts';
import type { MediaItemChanges } from '../connection/schema.ts';

/**
 * An item is READY when every required run is done and FAILED when one has failed. Once READY it stays so: a result made
 * anew that fails leaves the earlier one in place.
 * @returns what is due of the item now
 */
export const updateStatus = async (
  trx: Database,
  mediaItemId: string,
  changes: MediaItemChanges = {},
): Promise<readonly BuiltComponent[]> => {
  const [row] = await trx
    .updateTable('media_items')
    .set({
      ...changes,
      status: sql`(
        select case
          when bool_and(${countedState} in ('DONE', 'SKIPPED')) or media_items.status = 'READY' then 'READY'
          when bool_or(${countedState} = 'FAILED') then 'FAILED'
          else 'PROCESSING'
        end
        from component_runs where media_item_id = ${mediaItemId} and component = any(${requiredComponents}::text[]))`,
      updated_at: sql`now()`,
    })
    .where('id', '=', mediaItemId)
    // Answered by the way, which saves whoever works on the item a question.
    .returning(dueRuns(mediaItemId).as('due'))
    .execute();
  return row?.due ?? [];
};

/** What is due of the item now. */
export const listDueRuns = async (trx: Database, mediaItemId: string): Promise<readonly BuiltComponent[]> =>
  (await trx.selectNoFrom(dueRuns(mediaItemId).as('due')).executeTakeFirstOrThrow()).due;

const dueRuns = (mediaItemId: string) => sql<BuiltComponent[]>`array(
  select component from component_runs where media_item_id = ${mediaItemId}
    and (state = 'PENDING' and next_attempt_at <= clock_timestamp()
      or state = 'RUNNING' and lease_until < clock_timestamp()))`;

/** What an item needs to be READY. */
export const requiredComponents: readonly BuiltComponent[] = components
  .filter(({ required }) => required)
  .map(({ name }) => name);
