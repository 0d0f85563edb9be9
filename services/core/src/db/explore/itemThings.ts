import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import type { MediaItemRow } from '../connection/schema.ts';

/**
 * Gives an item these things and no others, by their names; those that its user does not have yet are made. To be called where the item's
 * row is locked.
 */
export const writeItemThings = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  names: readonly string[],
): Promise<void> => {
  // In the order of their names, so that two transactions that make the same things cannot wait for each other.
  const inOrder = [...new Set(names)].toSorted();
  await sql`
    insert into things (id, user_id, name)
    select gen_random_uuid(), ${item.user_id}, name from unnest(${inOrder}::text[]) as name
    where not exists (select from things as known where known.user_id = ${item.user_id} and known.name = name.name)
    order by name on conflict (user_id, name) do nothing`.execute(trx);
  await sql`
    delete from collection_items using things
    where media_item_id = ${item.id} and collection_id = things.id and name <> all(${names}::text[])`.execute(trx);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select things.id, media_items.id, local_time, visibility from things, media_items
    where things.user_id = ${item.user_id} and name = any(${names}::text[]) and media_items.id = ${item.id}
    order by things.id on conflict do nothing`.execute(trx);
};
