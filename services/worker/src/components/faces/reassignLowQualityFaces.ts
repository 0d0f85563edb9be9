import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { deletePeopleWithoutFaces, assignFaces, type FaceAssignment } from '@hearth/core/people/itemFaces.ts';
import { rejections } from '@hearth/core/people/rejections.ts';
import type { SimilarFace } from '@hearth/core/people/userFaces.ts';

/** A new face that is good enough to start a person (a founding face). */
export interface FoundingFace {
  readonly personId: string;
  /** Similar faces below founding quality, of other pictures. */
  readonly lowQuality: readonly SimilarFace[];
}

/**
 * Reassigns low-quality faces to the people of new founding faces if these are more similar than all earlier ones. Returns the ids of items whose
 * people changed.
 */
export const reassignLowQualityFaces = async (trx: Database, founding: readonly FoundingFace[]): Promise<string[]> => {
  const candidates = Map.groupBy(
    founding.flatMap(({ personId, lowQuality }) =>
      lowQuality.map(({ id, similarity }) => ({ id, personId, similarity })),
    ),
    ({ id }) => id,
  );
  const moved = new Set<string>();
  const abandoned = new Set<string>();
  const reassigned: FaceAssignment[] = [];
  for (const face of await listFaces(trx, [...candidates.keys()])) {
    const best = findBetterPerson(face, candidates.get(face.id)!);
    if (best === undefined) continue;
    reassigned.push({ id: face.id, ...best });
    if (face.personId === best.personId) continue;
    moved.add(face.mediaItemId);
    if (face.personId !== null) abandoned.add(face.personId);
  }
  if (reassigned.length > 0) await assignFaces(trx, reassigned);
  if (abandoned.size > 0) await deletePeopleWithoutFaces(trx, [...abandoned]);
  return [...moved];
};

interface AssignedFace {
  readonly id: string;
  readonly mediaItemId: string;
  readonly personId: string | null;
  /** Similarity to the founding face that decided the person; null without a person. */
  readonly likeness: number | null;
  /** Ids of people that the user has rejected for this face. */
  readonly rejected: readonly string[];
}

interface Candidate {
  readonly personId: string;
  readonly similarity: number;
}

/** Returns the person with the most similar founding face, or undefined if none is more similar than that of the current person. */
const findBetterPerson = (
  { likeness, rejected }: AssignedFace,
  candidates: readonly Candidate[],
): Candidate | undefined => {
  let best: Candidate | undefined;
  for (const { personId, similarity: found } of candidates) {
    // Rounded to float4 as in the database, so that an equal likeness does not count as greater.
    if (Math.fround(found) <= (best?.similarity ?? likeness ?? 0) || rejected.includes(personId)) continue;
    best = { personId, similarity: Math.fround(found) };
  }
  return best;
};

const listFaces = async (trx: Database, ids: readonly string[]): Promise<readonly AssignedFace[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<AssignedFace>`
    select id, media_item_id as "mediaItemId", person_id as "personId", likeness,
      array(select rejection.person_id from ${rejections} as rejection where rejection.face_id = faces.id) as rejected
    from faces join face_embeddings on face_id = id
    where id = any(${ids}::uuid[])`.execute(trx);
  return rows;
};
