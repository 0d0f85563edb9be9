import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { checkCollection } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';
import { minFaceSimilarity, findMostSimilar } from '@hearth/core/people/similarFaces.ts';
import { decodeEmbedding, computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import { assignFaces, lockPeople, updatePeopleOfItems, type FaceAssignment } from '@hearth/core/people/itemFaces.ts';
import { listRejected } from '@hearth/core/people/rejections.ts';
import { findSimilarFaces } from '@hearth/core/people/userFaces.ts';

/**
 * Removes a person's faces on these items permanently, because the user says that they are someone else. Assigns each
 * face to another similar person, otherwise to a new one, or to no one if it is too poor to found a person. A person
 * without faces is kept for a day, see `deleteUnusedPeople`.
 * @throws NotFoundError if the person or one of the items is not the user's, or the person has no visible item; then
 *   nothing changes
 */
export const rejectFaces = async (
  db: Database,
  userId: string,
  personId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    await checkCollection(trx, userId, 'person', personId);
    await lockItems(trx, userId, mediaItemIds, 'share');
    const faces = await listFaces(trx, personId, mediaItemIds);
    const ids = faces.map(({ id }) => id);
    // The face may have been rejected before a later merge. This rejection is newer.
    await sql`
      insert into face_rejections (face_id, person_id) select id, ${personId} from unnest(${ids}::uuid[]) as rejected (id)
      on conflict (face_id, person_id) do update set created_at = clock_timestamp()`.execute(trx);
    const { assignments, newPeople } = await findOwners(trx, userId, faces);
    if (newPeople.length > 0) {
      const rows = newPeople.map((id) => ({ id, user_id: userId }));
      await trx.insertInto('people').values(rows).execute();
    }
    await assignFaces(trx, assignments);
    await updatePeopleOfItems(trx, mediaItemIds);
  });

interface RejectedFace {
  readonly id: string;
  /** Undefined for a face that cannot be compared. */
  readonly embedding: Float32Array | undefined;
  readonly isFounding: boolean;
}

/** Lists the person's faces on these items, founding faces first. */
const listFaces = async (
  trx: Database,
  personId: string,
  mediaItemIds: readonly string[],
): Promise<readonly RejectedFace[]> => {
  const rows = await trx
    .selectFrom('faces')
    .leftJoin('face_embeddings', 'face_id', 'faces.id')
    .select(['faces.id', 'visibility', 'embedding', 'is_founding'])
    .where('person_id', '=', personId)
    .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
    .orderBy(sql`is_founding is false`)
    .orderBy('faces.id')
    .execute();
  // A missed face must not found a person, who would be on no photo.
  return rows.map(({ id, visibility, embedding, is_founding }) => ({
    id,
    embedding: embedding === null ? undefined : decodeEmbedding(embedding),
    isFounding: is_founding !== false && visibility !== 'missed',
  }));
};

/** A face to assign, with the similarities to people known so far. */
interface UnassignedFace extends RejectedFace {
  readonly similarities: Map<string, number>;
}

/**
 * Decides the owner of each face and which owners are new. Assigns the face with the highest similarity first. Faces
 * similar to it then become similar to its owner too, so the result does not depend on the order.
 */
const findOwners = async (
  trx: Database,
  userId: string,
  faces: readonly RejectedFace[],
): Promise<{ readonly assignments: readonly FaceAssignment[]; readonly newPeople: readonly string[] }> => {
  const unassigned = await listSimilarPeople(trx, userId, faces);
  const rejected = await listRejected(
    trx,
    faces.map(({ id }) => id),
  );
  for (const face of unassigned) for (const person of rejected.get(face.id) ?? []) face.similarities.delete(person);
  const assignments: FaceAssignment[] = [];
  const newPeople: string[] = [];
  const founding = new Set(unassigned.filter(({ isFounding }) => isFounding));
  while (founding.size > 0) {
    const face = [...founding].reduce((best, each) => (getMaxSimilarity(each) > getMaxSimilarity(best) ? each : best));
    founding.delete(face);
    const similarPerson = findMostSimilar(face.similarities);
    const owner = similarPerson ?? randomUUID();
    if (similarPerson === undefined) newPeople.push(owner);
    assignments.push({ id: face.id, personId: owner, similarity: null });
    for (const other of unassigned) {
      const isOpen = founding.has(other) || !other.isFounding;
      if (!isOpen || rejected.get(other.id)?.has(owner) === true) continue;
      const similarity = compareFaces(face, other);
      if (similarity >= minFaceSimilarity)
        other.similarities.set(owner, Math.max(similarity, other.similarities.get(owner) ?? 0));
    }
  }
  for (const { id, similarities } of unassigned.filter(({ isFounding }) => !isFounding)) {
    const owner = findMostSimilar(similarities) ?? null;
    assignments.push({ id, personId: owner, similarity: owner === null ? null : similarities.get(owner)! });
  }
  return { assignments, newPeople };
};

/** Finds the people that each face is similar to, not counting the faces themselves. */
const listSimilarPeople = async (
  trx: Database,
  userId: string,
  faces: readonly RejectedFace[],
): Promise<readonly UnassignedFace[]> => {
  const similarFaces = await findSimilarFaces(
    trx,
    userId,
    faces.flatMap(({ embedding }) => embedding ?? []),
  );
  const rejectedIds = new Set(faces.map(({ id }) => id));
  const others = similarFaces.map(({ founding }) => founding.filter(({ id }) => !rejectedIds.has(id)));
  const owners = await listOwners(
    trx,
    others.flat().map(({ id }) => id),
  );
  let compared = 0;
  return faces.map((face) => {
    const similarities = new Map<string, number>();
    for (const { id, similarity } of face.embedding === undefined ? [] : others[compared++]!) {
      const owner = owners.get(id);
      if (owner !== undefined) similarities.set(owner, Math.max(similarity, similarities.get(owner) ?? 0));
    }
    return { ...face, similarities };
  });
};

/** Highest similarity to any person; −1 without one. */
const getMaxSimilarity = ({ similarities }: UnassignedFace): number => Math.max(-1, ...similarities.values());

const compareFaces = (one: RejectedFace, other: RejectedFace): number =>
  one.embedding === undefined || other.embedding === undefined ? -1 : computeSimilarity(one.embedding, other.embedding);
