import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { checkCollection } from '../collections/collections.ts';
import { transaction, type Database } from '../connection/database.ts';
import { lockItems } from '../items/mediaItems.ts';
import { findAlike, mostAlike, type KnownFace } from './alikeFaces.ts';
import { decodeEmbedding } from './faceEmbedding.ts';
import { listOwners } from './faceOwners.ts';
import { giveFaces, lockPeople, putItemsToPeople, type GivenFace } from './itemFaces.ts';
import { listRejected } from './rejections.ts';
import { findNearFaces } from './userFaces.ts';

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
    .select(['faces.id', 'embedding', 'is_founding'])
    .where('person_id', '=', personId)
    .where(sql<boolean>`media_item_id = any(${mediaItemIds}::uuid[])`)
    .orderBy(sql`is_founding is false`)
    .orderBy('faces.id')
    .execute();
  return rows.map(({ id, embedding, is_founding }) => ({
    id,
    embedding: embedding === null ? undefined : decodeEmbedding(embedding),
    isFounding: is_founding !== false,
  }));
};

/**
 * Whose each of these faces is, and who of these is new. A founding face that is like one of those before it is theirs, so that only one of many photos
 * of somebody is compared with the whole library.
 */
const findOwners = async (
  trx: Database,
  userId: string,
  faces: readonly RejectedFace[],
): Promise<{ readonly given: readonly GivenFace[]; readonly made: readonly string[] }> => {
  const rejected = await listRejected(
    trx,
    faces.map(({ id }) => id),
  );
  const leaving = new Set(faces.map(({ id }) => id));
  const given: GivenFace[] = [];
  const made: string[] = [];
  const placed: KnownFace[] = [];
  const owners = new Map<string, string | undefined>();
  for (const { id, embedding, isFounding } of faces) {
    const isTheirs = (person: string): boolean => rejected.get(id)?.has(person) !== true;
    const beside = placed.filter((face) => isTheirs(face.personId));
    const alike = embedding === undefined ? new Map<string, number>() : findAlike(embedding, beside);
    if (embedding !== undefined && (alike.size === 0 || !isFounding)) {
      const [near] = await findNearFaces(trx, userId, [embedding]);
      const others = near!.founding.filter((face) => !leaving.has(face.id));
      const unknown = others.map((face) => face.id).filter((other) => !owners.has(other));
      const found = await listOwners(trx, unknown);
      for (const other of unknown) owners.set(other, found.get(other));
      for (const face of others) {
        const owner = owners.get(face.id);
        if (owner !== undefined && isTheirs(owner)) alike.set(owner, Math.max(face.likeness, alike.get(owner) ?? 0));
      }
    }
    const other = mostAlike(alike);
    const isNew = other === undefined && isFounding;
    const owner = other ?? (isNew ? randomUUID() : null);
    if (isNew) made.push(owner!);
    if (isFounding && embedding !== undefined) placed.push({ personId: owner!, embedding });
    given.push({ id, personId: owner, likeness: isFounding || other === undefined ? null : alike.get(other)! });
  }
  return { given, made };
};
