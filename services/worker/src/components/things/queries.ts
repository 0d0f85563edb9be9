import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';

/** A thing that an item shows. */
export interface SeenThing {
  readonly name: string;
  /** Other words by which search finds it. */
  readonly synonyms?: readonly string[];
  /** How sure it is that the item shows it, 0 to 1. */
  readonly confidence?: number;
}

/**
 * Gives an item these things and no others; those that its user does not have yet are made, by their names. To be called where the item's
 * row is locked.
 */
export const writeItemThings = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  things: readonly SeenThing[],
): Promise<void> => {
  const distinct = [...new Map(things.map((thing) => [thing.name, thing])).values()];
  const names = distinct.map(({ name }) => name);
  const synonyms = distinct.map((thing) => (thing.synonyms ?? []).join(' '));
  const confidences = distinct.map(({ confidence }) => confidence ?? null);
  // In the order of their names, so that two transactions that make the same things cannot wait for each other.
  await sql`
    insert into things (id, user_id, name, synonyms)
    select gen_random_uuid(), ${item.user_id}, name, synonyms
    from unnest(${names}::text[], ${synonyms}::text[]) as seen (name, synonyms)
    where not exists (
      select from things as known
      where known.user_id = ${item.user_id} and known.name = seen.name and known.synonyms = seen.synonyms
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
    from things join unnest(${names}::text[], ${confidences}::real[]) as seen (name, confidence) using (name), media_items
    where things.user_id = ${item.user_id} and media_items.id = ${item.id}
    order by things.id on conflict (collection_id, media_item_id) do update set confidence = excluded.confidence
    where collection_items.confidence is distinct from excluded.confidence`.execute(
    prepared(trx, 'insert_item_things'),
  );
};
