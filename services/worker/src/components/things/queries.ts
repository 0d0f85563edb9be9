import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';

/** A thing detected on an item. */
export interface DetectedThing {
  readonly name: string;
  /** Other words that find the thing in a search. */
  readonly synonyms?: readonly string[];
  /** Confidence of the model, 0 to 1. */
  readonly confidence?: number;
}

/** Replaces the things of an item, and creates those that its user does not have yet. Call only while holding a lock on the item's row. */
export const writeItemThings = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  things: readonly DetectedThing[],
): Promise<void> => {
  const distinct = [...new Map(things.map((thing) => [thing.name, thing])).values()];
  const names = distinct.map(({ name }) => name);
  const synonyms = distinct.map((thing) => (thing.synonyms ?? []).join(' '));
  const confidences = distinct.map(({ confidence }) => confidence ?? null);
  // Ordered by name, so that two transactions that insert the same things cannot deadlock.
  await sql`
    insert into things (id, user_id, name, synonyms)
    select gen_random_uuid(), ${item.user_id}, name, synonyms
    from unnest(${names}::text[], ${synonyms}::text[]) as detected (name, synonyms)
    where not exists (
      select from things as stored
      where stored.user_id = ${item.user_id} and stored.name = detected.name and stored.synonyms = detected.synonyms
    )
    order by name on conflict (user_id, name) do update set synonyms = excluded.synonyms`.execute(
    prepared(trx, 'insert_things'),
  );
  await sql`
    delete from collection_items using things
    where media_item_id = ${item.id} and collection_id = things.id and name <> all(${names}::text[])`.execute(
    prepared(trx, 'remove_item_things'),
  );
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility, confidence)
    select things.id, media_items.id, local_time, visibility, confidence
    from things join unnest(${names}::text[], ${confidences}::real[]) as detected (name, confidence) using (name), media_items
    where things.user_id = ${item.user_id} and media_items.id = ${item.id}
    order by things.id on conflict (collection_id, media_item_id) do update set confidence = excluded.confidence
    where collection_items.confidence is distinct from excluded.confidence`.execute(
    prepared(trx, 'insert_item_things'),
  );
};
