import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Whose these faces are: a person for each face that is there with its embedding, and is somebody's. Where people were switched off a moment ago, the
 * embeddings are gone before the faces are, and nobody is known by what a process has of them in memory.
 */
export const listOwners = async (trx: Database, faceIds: readonly string[]): Promise<Map<string, string>> => {
  if (faceIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; personId: string }>`
    select id, person_id as "personId" from faces
    where id = any(${[...new Set(faceIds)]}::uuid[]) and person_id is not null
      and exists (select from face_embeddings where face_id = faces.id)`.execute(trx);
  return new Map(rows.map(({ id, personId }) => [id, personId]));
};
