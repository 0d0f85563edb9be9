import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';
import { decodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import {
  deletePeopleWithoutFaces,
  assignFaces,
  lockPeople,
  updatePeopleOfItems,
} from '@hearth/core/people/itemFaces.ts';
import { findSimilarFaces } from '@hearth/core/people/userFaces.ts';

/**
 * Reverts `rejectFaces`: returns the rejected faces on these items to the person from their current owner. Deletes
 * people left without faces.
 * @throws NotFoundError if the person or one of the items is not the user's or does not exist; then nothing changes
 */
export const returnFaces = async (
  db: Database,
  userId: string,
  personId: string,
  mediaItemIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    await trx
      .selectFrom('people')
      .select('id')
      .where('id', '=', personId)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(() => new NotFoundError('person'));
    await lockItems(trx, userId, mediaItemIds, 'share');
    const faces = await deleteRejections(trx, personId, mediaItemIds);
    if (faces.length === 0) return;
    const similarities = await computeSimilarities(trx, userId, personId, faces);
    await assignFaces(
      trx,
      faces.map(({ id }) => ({ id, personId, similarity: similarities.get(id) ?? null })),
    );
    await updatePeopleOfItems(trx, mediaItemIds);
    await deletePeopleWithoutFaces(
      trx,
      faces.map((face) => face.ownerId).filter((id) => id !== null),
    );
  });

interface RejectedFace {
  readonly id: string;
  /** Person that has the face now. */
  readonly ownerId: string | null;
  readonly embedding: Buffer | null;
  readonly isFounding: boolean | null;
}

/**
 * Deletes the rejections of faces on these items, including those for people merged into the person. Returns the faces.
 */
const deleteRejections = async (
  trx: Database,
  personId: string,
  mediaItemIds: readonly string[],
): Promise<readonly RejectedFace[]> => {
  const { rows } = await sql<RejectedFace>`
    with on_items as (
      select id, person_id from faces where media_item_id = any(${mediaItemIds}::uuid[])
    ), own as (
      delete from face_rejections using on_items
      where on_items.id = face_id and face_rejections.person_id = ${personId} returning face_id
    ), of_merged as (
      delete from merged_rejections using on_items, merged_people
      where on_items.id = face_id and merged_people.id = merged_rejections.person_id and merged_people.person_id = ${personId}
      returning face_id
    )
    select id, person_id as "ownerId", embedding, is_founding as "isFounding"
    from on_items left join face_embeddings on face_id = id
    where id in (select face_id from own union select face_id from of_merged) and person_id is distinct from ${personId}
    order by id`.execute(trx);
  return rows;
};

/** Returns the highest similarity of each non-founding face to the person's founding faces, or 0. */
const computeSimilarities = async (
  trx: Database,
  userId: string,
  personId: string,
  faces: readonly RejectedFace[],
): Promise<ReadonlyMap<string, number>> => {
  const poor = faces.flatMap(({ id, embedding, isFounding }) =>
    embedding === null || isFounding === true ? [] : [{ id, embedding: decodeEmbedding(embedding) }],
  );
  const similarFaces = await findSimilarFaces(
    trx,
    userId,
    poor.map(({ embedding }) => embedding),
  );
  const owners = await listOwners(
    trx,
    similarFaces.flatMap(({ founding }) => founding.map(({ id }) => id)),
  );
  return new Map(
    poor.map(({ id }, nth) => {
      const theirs = similarFaces[nth]!.founding.filter((face) => owners.get(face.id) === personId);
      return [id, Math.max(0, ...theirs.map(({ similarity }) => similarity))];
    }),
  );
};
