import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { checkCollection } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import type { MergedPersonRow } from '@hearth/core/db/schema.ts';
import { deletePeopleWithoutFaces, lockPeople, updatePeopleOfItems } from '@hearth/core/people/itemFaces.ts';
import { listFacesToReturn, mergedAt } from './listFacesToReturn.ts';

/**
 * Reverts merges into the person `id` that the user made, see [Note: Merges that are taken back]. Restores each person
 * with name, cover, visibility and faces, unless no face is left. A name that `id` got from one of them returns with
 * that person. Ignores ids that are separate people already.
 * @throws NotFoundError if `id` is not the user's or has no visible item; then nothing changes
 * @throws NotFoundError if another id was not merged into `id` and is not a person of the user; then nothing changes
 */
export const separatePeople = async (
  db: Database,
  userId: string,
  id: string,
  otherIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    await checkCollection(trx, userId, 'person', id);
    const isRequested = sql<boolean>`id = any(${otherIds}::uuid[])`;
    const merged = await trx
      .selectFrom('merged_people')
      .selectAll()
      .where('person_id', '=', id)
      .where('into_id', '=', id)
      .where(isRequested)
      .orderBy('merged_at', 'desc')
      .orderBy('id')
      .execute();
    const existing = await trx
      .selectFrom('people')
      .select('id')
      .where('user_id', '=', userId)
      .where(isRequested)
      .execute();
    const validIds = new Set([...merged, ...existing].map((person) => person.id));
    if (!otherIds.every((other) => validIds.has(other))) throw new NotFoundError('person');
    for (const each of merged) await separate(trx, userId, each);
    await deletePeopleWithoutFaces(trx, [id]);
  });

const separate = async (trx: Database, userId: string, merged: MergedPersonRow): Promise<void> => {
  const { id, person_id: from } = merged;
  const faces = await listFacesToReturn(trx, merged);
  if (faces.length > 0) {
    // Pending deltas from before the merge would be counted for the restored person.
    await trx.deleteFrom('count_deltas').where('user_id', '=', userId).where('list_id', '=', id).execute();
    await sql`
      insert into people (id, user_id, name, is_hidden, created_at)
      select id, ${userId}, name, is_hidden, created_at from merged_people where id = ${id}`.execute(trx);
    const items = [...new Set(faces.map((face) => face.mediaItemId))];
    // Locks the items by id, so that their columns copied to `collection_items` stay correct.
    await sql`
      with locked as (select id from media_items where id = any(${items}::uuid[]) order by id for share)
      select count(*) from locked`.execute(trx);
    const ids = faces.map((face) => face.id);
    await sql`update faces set person_id = ${id} where id = any(${ids}::uuid[])`.execute(trx);
    await updatePeopleOfItems(trx, items);
    await trx.updateTable('collections').set({ cover_id: merged.cover_id }).where('id', '=', id).execute();
    await restoreRejections(trx, merged);
  }
  await returnMerges(trx, id, faces.length > 0);
  await trx
    .updateTable('people')
    .set({ ...(merged.gave_name && { name: null }), updated_at: sql`now()` })
    .where('id', '=', from)
    .execute();
  await trx.deleteFrom('merged_people').where('id', '=', id).execute();
};

/** Returns nested merges to the restored person, or deletes their records if the person is not restored. */
const returnMerges = async (trx: Database, id: string, isRestored: boolean): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    with recursive earlier (id) as (
      select id from merged_people where into_id = ${id}
      union select merged_people.id from merged_people join earlier on into_id = earlier.id
    ) select id from earlier`.execute(trx);
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return;
  if (isRestored) await sql`update merged_people set person_id = ${id} where id = any(${ids}::uuid[])`.execute(trx);
  else await sql`delete from merged_people where id = any(${ids}::uuid[])`.execute(trx);
};

/** Restores the person's rejections, and copies those made since the merge for the person who has the faces. */
const restoreRejections = async (trx: Database, { id, person_id: from }: MergedPersonRow): Promise<void> => {
  await sql`
    insert into face_rejections (face_id, person_id, created_at)
    select face_id, ${id}::uuid, created_at from merged_rejections where person_id = ${id}
    union
    select face_id, ${id}::uuid, created_at from face_rejections
    where person_id = ${from} and created_at > ${mergedAt(id)}
      and face_id not in (select face_id from merged_rejections where person_id = ${id})`.execute(trx);
};
