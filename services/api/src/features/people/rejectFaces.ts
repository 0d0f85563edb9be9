import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { checkCollection } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockItems } from '@hearth/core/items/mediaItems.ts';
import { minLikeness, mostAlike } from '@hearth/core/people/alikeFaces.ts';
import { decodeEmbedding, likenessOf } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import { giveFaces, lockPeople, putItemsToPeople, type GivenFace } from '@hearth/core/people/itemFaces.ts';
import { listRejected } from '@hearth/core/people/rejections.ts';
import { findNearFaces } from '@hearth/core/people/userFaces.ts';

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
    const faces = await listFaces(trx, personId, mediaItemIds);
    const ids = faces.map(({ id }) => id);
    // It may have been said before a merge that was the later word; now this is.
    await sql`
      insert into face_rejections (face_id, person_id) select id, ${personId} from unnest(${ids}::uuid[]) as said (id)
      on conflict (face_id, person_id) do update set created_at = clock_timestamp()`.execute(trx);
    const { given, made } = await findOwners(trx, userId, faces);
    if (made.length > 0) {
      const rows = made.map((id) => ({ id, user_id: userId }));
      await trx.insertInto('people').values(rows).execute();
    }
    await giveFaces(trx, given);
    await putItemsToPeople(trx, mediaItemIds);
  });

interface RejectedFace {
  readonly id: string;
  /** Undefined of a face that cannot be compared. */
  readonly embedding: Float32Array | undefined;
  readonly isFounding: boolean;
}

/** Those that found people first. */
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
  // A missed face founds nobody: the person would be on no photo.
  return rows.map(({ id, visibility, embedding, is_founding }) => ({
    id,
    embedding: embedding === null ? undefined : decodeEmbedding(embedding),
    isFounding: is_founding !== false && visibility !== 'missed',
  }));
};

/** A face that is to get an owner, and whom it is like, by what is known so far. */
interface WaitingFace extends RejectedFace {
  readonly alike: Map<string, number>;
}

/**
 * Whose each of these faces is, and who of these is new. The face that is most like somebody is given first, and those that are like it are then like
 * that person too: so it does not matter in which order the faces are listed.
 */
const findOwners = async (
  trx: Database,
  userId: string,
  faces: readonly RejectedFace[],
): Promise<{ readonly given: readonly GivenFace[]; readonly made: readonly string[] }> => {
  const waiting = await listAlike(trx, userId, faces);
  const rejected = await listRejected(
    trx,
    faces.map(({ id }) => id),
  );
  for (const face of waiting) for (const person of rejected.get(face.id) ?? []) face.alike.delete(person);
  const given: GivenFace[] = [];
  const made: string[] = [];
  const founding = new Set(waiting.filter(({ isFounding }) => isFounding));
  while (founding.size > 0) {
    const face = [...founding].reduce((best, each) => (mostLikeness(each) > mostLikeness(best) ? each : best));
    founding.delete(face);
    const known = mostAlike(face.alike);
    const owner = known ?? randomUUID();
    if (known === undefined) made.push(owner);
    given.push({ id: face.id, personId: owner, likeness: null });
    for (const other of waiting) {
      const isOpen = founding.has(other) || !other.isFounding;
      if (!isOpen || rejected.get(other.id)?.has(owner) === true) continue;
      const likeness = likenessBetween(face, other);
      if (likeness >= minLikeness) other.alike.set(owner, Math.max(likeness, other.alike.get(owner) ?? 0));
    }
  }
  for (const { id, alike } of waiting.filter(({ isFounding }) => !isFounding)) {
    const owner = mostAlike(alike) ?? null;
    given.push({ id, personId: owner, likeness: owner === null ? null : alike.get(owner)! });
  }
  return { given, made };
};

/** Whom each of these faces is like, besides one another. */
const listAlike = async (
  trx: Database,
  userId: string,
  faces: readonly RejectedFace[],
): Promise<readonly WaitingFace[]> => {
  const near = await findNearFaces(
    trx,
    userId,
    faces.flatMap(({ embedding }) => embedding ?? []),
  );
  const leaving = new Set(faces.map(({ id }) => id));
  const others = near.map(({ founding }) => founding.filter(({ id }) => !leaving.has(id)));
  const owners = await listOwners(
    trx,
    others.flat().map(({ id }) => id),
  );
  let compared = 0;
  return faces.map((face) => {
    const alike = new Map<string, number>();
    for (const { id, likeness } of face.embedding === undefined ? [] : others[compared++]!) {
      const owner = owners.get(id);
      if (owner !== undefined) alike.set(owner, Math.max(likeness, alike.get(owner) ?? 0));
    }
    return { ...face, alike };
  });
};

/** How like the face is to whom it is most like; −1 of one that is like nobody. */
const mostLikeness = ({ alike }: WaitingFace): number => Math.max(-1, ...alike.values());

const likenessBetween = (one: RejectedFace, other: RejectedFace): number =>
  one.embedding === undefined || other.embedding === undefined ? -1 : likenessOf(one.embedding, other.embedding);
