import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/*
 * [Note: Merges that are taken back] Who is merged by hand is noted with name, cover and faces, whoever asks when. It is taken back for one of them
 * at a time, and the other way round than it was done: somebody who was merged into a person that was merged itself waits until that person is there
 * again. Then each face goes back that is still where the merge has put it: what a user has said of a face meanwhile holds. A face that came
 * meanwhile goes to whom it is more like. That people are put together because their faces are alike is nobody's word, and is
 * not noted; who had come up in one of them is then in the other.
 */

/** Notes what `joinPeople` is about to change of the people `others`, who go up in `id` because a user says so. `namesake` is the one whose name `id` gets. */
export const recordMerge = async (
  trx: Database,
  id: string,
  others: readonly string[],
  namesake: string | undefined,
): Promise<void> => {
  const those = sql`${others}::uuid[]`;
  await sql`
    insert into merged_people (id, person_id, into_id, name, gave_name, is_hidden, cover_id, created_at)
    select people.id, ${id}, ${id}, name, people.id is not distinct from ${namesake ?? null}, is_hidden, cover_id, created_at
    from people join collections on collections.id = people.id where people.id = any(${those})`.execute(trx);
  await sql`
    insert into merged_faces (person_id, face_id) select person_id, id from faces where person_id = any(${those})`.execute(
    trx,
  );
  await sql`
    with said as (delete from face_rejections where person_id = any(${those}) returning *)
    insert into merged_rejections (person_id, face_id, created_at) select person_id, face_id, created_at from said`.execute(
    trx,
  );
};

/** Notes that whoever went up in one of these people, who are put together without being told, is in the one who stays. */
export const passMergesOn = async (trx: Database, stays: string, gone: readonly string[]): Promise<void> => {
  await sql`update merged_people set into_id = ${stays} where into_id = any(${gone}::uuid[])`.execute(trx);
};
