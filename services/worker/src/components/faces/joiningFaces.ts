import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { deletePeopleWithoutFaces, assignFaces, type FaceAssignment } from '@hearth/core/people/itemFaces.ts';
import { rejections } from '@hearth/core/people/rejections.ts';
import type { SimilarFace } from '@hearth/core/people/userFaces.ts';

/** A new founding face. */
export interface JoiningFace {
  readonly personId: string;
  /** Similar faces below founding quality, of other pictures. */
  readonly poor: readonly SimilarFace[];
}

/**
 * Reassigns low-quality faces to the people of new founding faces if these are more similar than all earlier ones. Returns the ids of items whose
 * people changed.
 */
export const joinFacesLike = async (trx: Database, founding: readonly JoiningFace[]): Promise<string[]> => {
  const near = Map.groupBy(
    founding.flatMap(({ personId, poor }) => poor.map(({ id, similarity }) => ({ id, personId, similarity }))),
    ({ id }) => id,
  );
  const moved = new Set<string>();
  const left = new Set<string>();
  const given: FaceAssignment[] = [];
  for (const face of await listFaces(trx, [...near.keys()])) {
    const best = findBest(face, near.get(face.id)!);
    if (best === undefined) continue;
    given.push({ id: face.id, ...best });
    if (face.personId === best.personId) continue;
    moved.add(face.mediaItemId);
    if (face.personId !== null) left.add(face.personId);
  }
  if (given.length > 0) await assignFaces(trx, given);
  if (left.size > 0) await deletePeopleWithoutFaces(trx, [...left]);
  return [...moved];
};

interface ListedFace {
  readonly id: string;
  readonly mediaItemId: string;
  readonly personId: string | null;
  readonly likeness: number | null;
  /** Ids of people that the user has rejected for this face. */
  readonly rejected: readonly string[];
}

interface Likeness {
  readonly personId: string;
  readonly similarity: number;
}

/** Returns the most similar founding face, or undefined if no one is more similar than the present one. */
const findBest = ({ likeness, rejected }: ListedFace, near: readonly Likeness[]): Likeness | undefined => {
  let best: Likeness | undefined;
  for (const { personId, similarity: found } of near) {
    // Rounded to float4 as in the database, so that an equal likeness does not count as greater.
    if (Math.fround(found) <= (best?.similarity ?? likeness ?? 0) || rejected.includes(personId)) continue;
    best = { personId, similarity: Math.fround(found) };
  }
  return best;
};

const listFaces = async (trx: Database, ids: readonly string[]): Promise<readonly ListedFace[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<ListedFace>`
    select id, media_item_id as "mediaItemId", person_id as "personId", likeness,
      array(select said.person_id from ${rejections} as said where said.face_id = faces.id) as rejected
    from faces join face_embeddings on face_id = id
    where id = any(${ids}::uuid[])`.execute(trx);
  return rows;
};
