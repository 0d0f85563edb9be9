import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/*
 * [Note: Merges that are taken back] A merge by hand records name, cover and faces of each merged person, so that it
 * can be undone at any time. It is undone for one person at a time, in reverse order: if A was merged into B, and then
 * B into C, A can be restored only after B. Undoing returns each face that is still where the merge put it, so later
 * user input stays. Faces added since then go to the more similar person. Automatic merges of similar faces are not
 * user input and are not recorded; they pass recorded merges on to the remaining person.
 */

/**
 * Records the state of `others` before `mergeInto` merges them into `id` for a user. `namesake` is the person whose
 * name `id` gets.
 */
export const recordMerge = async (
  trx: Database,
  id: string,
  others: readonly string[],
  namesake: string | undefined,
): Promise<void> => {
  const mergedIds = sql`${others}::uuid[]`;
  await sql`
    insert into merged_people (id, person_id, into_id, name, gave_name, is_hidden, cover_id, created_at)
    select people.id, ${id}, ${id}, name, people.id is not distinct from ${namesake ?? null}, is_hidden, cover_id, created_at
    from people join collections on collections.id = people.id where people.id = any(${mergedIds})`.execute(trx);
  await sql`
    insert into merged_faces (person_id, face_id) select person_id, id from faces where person_id = any(${mergedIds})`.execute(
    trx,
  );
  await sql`
    with removals as (delete from face_rejections where person_id = any(${mergedIds}) returning *)
    insert into merged_rejections (person_id, face_id, created_at) select person_id, face_id, created_at from removals`.execute(
    trx,
  );
};

/** Passes recorded merges of automatically merged people on to the remaining person. */
export const moveMerges = async (trx: Database, remainingId: string, mergedIds: readonly string[]): Promise<void> => {
  await sql`update merged_people set into_id = ${remainingId} where into_id = any(${mergedIds}::uuid[])`.execute(trx);
};
