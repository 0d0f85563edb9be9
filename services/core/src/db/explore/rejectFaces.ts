import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { checkCollection } from '../collections/collections.ts';
import { transaction, type Database } from '../connection/database.ts';
import { lockItems } from '../items/mediaItems.ts';
import { findAlike, mostAlike } from './alikeFaces.ts';
import { decodeEmbedding } from './faceEmbedding.ts';
import { giveFace, lockPeople, putItemsToPeople } from './itemFaces.ts';
import { findLookalikes, listCentroids, listKnownFaces } from './knownFaces.ts';
import { addToLooks } from './personLooks.ts';
import { listRejected } from './rejections.ts';

/**
 * Takes the faces that a person has on these items away from the person, for good: a user has said that they are not theirs. Each goes to whom else
 * it is like, else to somebody new, or to nobody where it is too poor to found a person. Where it was the last one, the person waits a day for it, see
 * `forgetPeopleWithoutFaces`.
 * @throws NotFoundError where the person or one of the items is not the user's, or the person has no visible item: then nothing changes
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
    for (const { id, embedding, isFounding } of await listFaces(trx, personId, mediaItemIds)) {
      // It may have been said before a merge that was the later word; now this is.
      await sql`
        insert into face_rejections (face_id, person_id) values (${id}, ${personId})
        on conflict (face_id, person_id) do update set created_at = clock_timestamp()`.execute(trx);
      const vector = embedding === null ? undefined : decodeEmbedding(embedding);
      const alike = vector === undefined ? new Map<string, number>() : await findOthers(trx, userId, id, vector);
      const other = mostAlike(alike);
      const isPoor = isFounding === false;
      const owner = other ?? (isPoor ? null : await foundPerson(trx, userId, vector));
      await giveFace(trx, id, owner);
      const likeness = isPoor && other !== undefined ? alike.get(other)! : null;
      await trx.updateTable('face_embeddings').set({ likeness }).where('face_id', '=', id).execute();
    }
    await putItemsToPeople(trx, mediaItemIds);
  });

const listFaces = async (trx: Database, personId: string, mediaItemIds: readonly string[]) =>
  trx
    .selectFrom('faces')
    .leftJoin('face_embeddings', 'face_id', 'faces.id')
    .select(['faces.id', 'embedding', 'is_founding as isFounding'])
    .where('person_id', '=', personId)
    .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
    .orderBy('faces.id')
    .execute();

/** How like the face is to people of whom nobody has said that it is not theirs. */
const findOthers = async (
  trx: Database,
  userId: string,
  faceId: string,
  embedding: Float32Array,
): Promise<ReadonlyMap<string, number>> => {
  const rejected = (await listRejected(trx, [faceId])).get(faceId)!;
  const people = findLookalikes(embedding, await listCentroids(trx, userId)).filter((id) => !rejected.has(id));
  return findAlike(embedding, await listKnownFaces(trx, people));
};

const foundPerson = async (trx: Database, userId: string, embedding: Float32Array | undefined): Promise<string> => {
  const id = randomUUID();
  await trx.insertInto('people').values({ id, user_id: userId }).execute();
  if (embedding !== undefined) await addToLooks(trx, id, embedding);
  return id;
};
