import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Which faces are not whose, as users have said, in SQL: `face_id` and `person_id`. What was said of somebody who was merged holds of the person who has
 * their faces now. A face may be of a person all the same: a merge by hand is the later word, until it is taken back.
 */
export const rejections: RawBuilder<unknown> = sql`(
  select face_id, person_id from face_rejections
  union all
  select face_id, merged_people.person_id from merged_rejections
  join merged_people on merged_people.id = merged_rejections.person_id)`;

/** For each of these faces, the people whose face it is not. */
export const listRejected = async (
  trx: Database,
  faceIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  if (faceIds.length === 0) return new Map();
  const { rows } = await sql<{ face_id: string; person_id: string }>`
    select face_id, person_id from ${rejections} as said where face_id = any(${faceIds}::uuid[])`.execute(trx);
  const rejected = Map.groupBy(rows, (row) => row.face_id);
  return new Map([...rejected].map(([id, each]) => [id, new Set(each.map((row) => row.person_id))]));
};
