import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * SQL for faces that users removed from people: `face_id` and `person_id`. Removals from a merged person apply to the
 * person who has their faces now. A face may belong to the person nevertheless: a later merge by hand overrides the
 * removal until it is undone.
 */
export const rejections: RawBuilder<unknown> = sql`(
  select face_id, person_id from face_rejections
  union all
  select face_id, merged_people.person_id from merged_rejections
  join merged_people on merged_people.id = merged_rejections.person_id)`;

/** Returns the people that each face was removed from. */
export const listRejected = async (
  trx: Database,
  faceIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  if (faceIds.length === 0) return new Map();
  const { rows } = await sql<{ face_id: string; person_id: string }>`
    select face_id, person_id from ${rejections} as rejections where face_id = any(${faceIds}::uuid[])`.execute(trx);
  const rejected = Map.groupBy(rows, (row) => row.face_id);
  return new Map([...rejected].map(([id, each]) => [id, new Set(each.map((row) => row.person_id))]));
};
