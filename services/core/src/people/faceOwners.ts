import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Returns the person of each face that has one and still has its embedding. When people are switched off, embeddings
 * are deleted before faces. Meanwhile, embeddings that a process still has in memory must not identify a person.
 */
export const listOwners = async (trx: Database, faceIds: readonly string[]): Promise<Map<string, string>> => {
  if (faceIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; personId: string }>`
    select id, person_id as "personId" from faces
    where id = any(${[...new Set(faceIds)]}::uuid[]) and person_id is not null
      and exists (select from face_embeddings where face_id = faces.id)`.execute(trx);
  return new Map(rows.map(({ id, personId }) => [id, personId]));
};
