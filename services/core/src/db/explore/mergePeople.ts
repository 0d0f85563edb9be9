import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { hasVisibleItem } from '../collections/collections.ts';
import { transaction, type Database } from '../connection/database.ts';
import { lockPeople } from './itemFaces.ts';

/**
 * Makes one person of several. The person `id` gets all faces, and keeps the cover and whether it is hidden. It keeps its name too, or gets the first
 * name that one of the others has. The others are gone. `id` may be among them.
 * @throws NotFoundError where one of them is not the user's or has no visible item: then nothing changes
 */
export const mergePeople = async (
  db: Database,
  userId: string,
  id: string,
  otherIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    const ids = [...new Set([id, ...otherIds])];
    const people = await trx
      .selectFrom('people')
      .select(['id', 'name'])
      .where('user_id', '=', userId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(hasVisibleItem('people'))
      .orderBy('id')
      .forUpdate()
      .execute();
    if (people.length < ids.length) throw new NotFoundError('person');
    const [, ...merged] = ids;
    if (merged.length === 0) return;
    const names = new Map(people.map((person) => [person.id, person.name]));
    await moveItems(trx, id, merged);
    await sql`update faces set person_id = ${id} where person_id = any(${merged}::uuid[])`.execute(trx);
    const name = ids.map((each) => names.get(each) ?? null).find((each) => each !== null) ?? null;
    await trx
      .updateTable('people')
      .set({ name, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    await sql`delete from collections where id = any(${merged}::uuid[]) and user_id = ${userId}`.execute(trx);
  });

/** Nobody changes these items meanwhile, so that what is kept of them is right. In one order, as everywhere. */
const moveItems = async (trx: Database, id: string, merged: readonly string[]): Promise<void> => {
  const ofMerged = sql`select media_item_id from collection_items where collection_id = any(${merged}::uuid[])`;
  await sql`
    with locked as (select id from media_items where id in (${ofMerged}) order by id for share)
    select count(*) from locked`.execute(trx);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select ${id}, id, local_time, visibility from media_items where id in (${ofMerged}) order by id
    on conflict do nothing`.execute(trx);
};
