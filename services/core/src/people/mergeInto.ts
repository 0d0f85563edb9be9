import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Merges `others` into a person: moves items, faces, removals and recorded merges, and deletes `others`. Requires
 * `lockPeople`.
 */
export const mergeInto = async (
  trx: Database,
  userId: string,
  id: string,
  others: readonly string[],
): Promise<void> => {
  await moveItems(trx, id, others);
  await sql`
    insert into face_rejections (face_id, person_id, created_at)
    select face_id, ${id}::uuid, min(created_at) from face_rejections where person_id = any(${others}::uuid[])
    group by face_id on conflict do nothing`.execute(trx);
  await sql`update merged_people set person_id = ${id} where person_id = any(${others}::uuid[])`.execute(trx);
  await sql`update faces set person_id = ${id} where person_id = any(${others}::uuid[])`.execute(trx);
  await sql`delete from collections where id = any(${others}::uuid[]) and user_id = ${userId}`.execute(trx);
};

/**
 * Adds the items of `others` to the person. Locks them ordered by id, as everywhere, so that their copied columns stay
 * correct.
 */
const moveItems = async (trx: Database, id: string, others: readonly string[]): Promise<void> => {
  const selectItemIds = sql`select media_item_id from collection_items where collection_id = any(${others}::uuid[])`;
  await sql`
    with locked as (select id from media_items where id in (${selectItemIds}) order by id for share)
    select count(*) from locked`.execute(trx);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select ${id}, id, local_time, visibility from media_items where id in (${selectItemIds}) order by id
    on conflict do nothing`.execute(trx);
};
