import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { retryRuns } from '@hearth/core/runs/retryRuns.ts';
import { retryRunsOfOriginal } from '@hearth/core/originals/originalChecks.ts';
import type { OriginalState, Rendition, ScrubItem } from './scrubItems.ts';

/** Result of reading one original. */
export interface OriginalResult {
  readonly item: ScrubItem;
  readonly state: OriginalState;
  /** Last write of an intact original, by the store's clock. Uploads do not read it again while this is unchanged. */
  readonly modifiedAt?: Date | undefined;
}

/**
 * Records the results of checks that started at `since` (PostgreSQL timestamp text) and returns the ids of recorded
 * items. Drops a result if the item is being removed or has a later one: an upload may have repaired the original
 * meanwhile. Locks the items by id, so that the transaction can continue with their runs without a deadlock.
 */
export const recordResults = async (
  trx: Database,
  results: readonly OriginalResult[],
  since: string,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    with item as (
      select media_items.id, user_id, found.state, found.modified_at
      from unnest(${results.map(({ item }) => item.id)}::uuid[], ${results.map(({ state }) => state)}::text[],
        ${results.map(({ modifiedAt }) => modifiedAt ?? null)}::timestamptz[]) as found (id, state, modified_at)
        join media_items using (id)
      where removing_at is null order by id for update of media_items
    )
    insert into original_checks as checked (media_item_id, user_id, state, checked_at, object_modified_at)
    select id, user_id, state, clock_timestamp(), modified_at from item
    on conflict (media_item_id) do update set state = excluded.state, checked_at = excluded.checked_at,
        object_modified_at = excluded.object_modified_at
      where checked.checked_at < ${since}::timestamptz
    returning media_item_id as id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
};

/**
 * Makes the runs due that create these broken renditions of an item with an intact original. Returns the number of
 * renditions. Skips renditions whose rows or runs have changed since they were read, because a worker has replaced them
 * or will. Does not repeat failed runs, which would fail again, unless the original was restored since the last check.
 */
export const recreateRenditions = async (
  trx: Database,
  { id, lastState }: ScrubItem,
  broken: readonly Rendition[],
): Promise<number> => {
  const isRestored = lastState === 'DAMAGED' || lastState === 'MISSING';
  if (isRestored) await retryRunsOfOriginal(trx, id, false);
  let recreated = 0;
  for (const [component, renditions] of Map.groupBy(broken, (rendition) => rendition.component)) {
    const isDue = await retryRuns(
      trx,
      [id],
      sql`component = ${component} and (state = 'DONE' or ${isRestored}::boolean and state = 'FAILED')
        and ${isUnchanged(id, renditions)}`,
    );
    if (isDue > 0) recreated += renditions.length;
  }
  // All other results may derive from wrong bytes.
  if (isRestored) await retryRunsOfOriginal(trx, id, true);
  return recreated;
};

/** SQL condition that the item's rows still have these renditions with these sizes. */
const isUnchanged = (id: string, renditions: readonly Rendition[]): RawBuilder<boolean> => sql<boolean>`not exists (
  select from ${toRows(renditions)} where not exists (
    select from ${selectRecorded(id)} where recorded.key = found.key and recorded.size_bytes is not distinct from found.size_bytes))`;

const toRows = (renditions: readonly Rendition[]): RawBuilder<unknown> => sql`unnest(
  ${renditions.map(({ key }) => key)}::text[], ${renditions.map(({ sizeBytes }) => sizeBytes)}::bigint[]) as found (key, size_bytes)`;

const selectRecorded = (id: string): RawBuilder<unknown> => sql`(
  select named.key, named.size_bytes from media_items cross join lateral (values
    (preview_key, preview_bytes), (thumbnail_key, thumbnail_bytes::bigint), (poster_key, poster_bytes::bigint),
    (motion_key, motion_bytes), (shared_video_key, shared_video_bytes)) as named (key, size_bytes)
  where media_items.id = ${id}
  union all
  select thumbnail_key, thumbnail_bytes from faces where media_item_id = ${id}) as recorded (key, size_bytes)`;

/** Fills in missing sizes of renditions. Ignores keys that the row no longer has. */
export const fillSizes = async (trx: Database, id: string, renditions: readonly Rendition[]): Promise<void> => {
  if (renditions.length === 0) return;
  const size = (key: RawBuilder<unknown>) =>
    sql`(select size_bytes from ${toRows(renditions)} where found.key = ${key})`;
  const isFace = renditions.some(({ component }) => component === 'FACES');
  if (renditions.some(({ component }) => component !== 'FACES')) {
    await sql`
      update media_items set
        preview_bytes = coalesce(preview_bytes, ${size(sql`preview_key`)}),
        thumbnail_bytes = coalesce(thumbnail_bytes, ${size(sql`thumbnail_key`)}),
        poster_bytes = coalesce(poster_bytes, ${size(sql`poster_key`)}),
        motion_bytes = coalesce(motion_bytes, ${size(sql`motion_key`)}),
        shared_video_bytes = coalesce(shared_video_bytes, ${size(sql`shared_video_key`)})
      where id = ${id}`.execute(trx);
  }
  if (isFace) {
    await sql`
      update faces set thumbnail_bytes = ${size(sql`thumbnail_key`)}
      where media_item_id = ${id} and thumbnail_bytes is null and thumbnail_key = any(${renditions.map(({ key }) => key)}::text[])`.execute(
      trx,
    );
  }
};
