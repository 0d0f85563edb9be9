import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** Whose these faces are: a person for each face that is there and somebody's. */
export const listOwners = async (trx: Database, faceIds: readonly string[]): Promise<Map<string, string>> => {
  if (faceIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; personId: string }>`
    select id, person_id as "personId" from faces
    where id = any(${[...new Set(faceIds)]}::uuid[]) and person_id is not null`.execute(trx);
  return new Map(rows.map(({ id, personId }) => [id, personId]));
};
