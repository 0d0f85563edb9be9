import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findSimilarPeople, findMostSimilar, type KnownFace } from '@hearth/core/people/similarFaces.ts';
import { matchEarlierFaces } from '@hearth/core/people/earlierFaces.ts';
import { decodeEmbedding, encodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import { updatePeopleOfItems, writeItemFaces, type FoundFace } from '@hearth/core/people/itemFaces.ts';
import { reassignLowQualityFaces } from './reassignLowQualityFaces.ts';
import { mergeSimilarPeople, type MergeResult } from './mergeSimilarPeople.ts';
import { listRejected } from '@hearth/core/people/rejections.ts';
import { findSimilarFaces, type SimilarFace } from '@hearth/core/people/userFaces.ts';
import { writeEmbeddings } from './writeEmbeddings.ts';

/** A face detected on an item, with its embedding. */
export interface DetectedFace extends Omit<FoundFace, 'personId'> {
  /** Unit length. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
}

/** A detected face with its person, before it is written. */
interface AssignedFace extends DetectedFace {
  readonly personId: string | null;
  /** Likeness to the founding face that decided the person; null without a person, and for a founding face. */
  readonly likeness: number | null;
  /** Similar faces of other pictures that are below founding quality. */
  readonly lowQuality: readonly SimilarFace[];
}

/**
 * Replaces the faces of an item and assigns each to a person, see [Note: Faces that are alike]. A face that was found before keeps its person. Call
 * only while holding `lockPeople` and a lock on the item's row.
 */
export const recogniseFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  detected: readonly DetectedFace[],
): Promise<void> => {
  // Founding faces first, so that the result does not depend on the order of detection. Embeddings are rounded as in the database, so that
  // likenesses computed later are equal.
  const sorted = detected
    .toSorted((a, b) => Number(b.isFounding) - Number(a.isFounding))
    .map((face): DetectedFace =>
      Object.assign({}, face, { embedding: decodeEmbedding(encodeEmbedding(face.embedding)) }),
    );
  const earlier = await matchEarlierFaces(trx, item.id, sorted);
  const redetected = earlier.matches.flatMap((face) => face?.id ?? []);
  const rejected = await listRejected(trx, redetected);
  const similar = await listSimilar(trx, item.user_id, sorted, new Set(redetected));
  const assigned: AssignedFace[] = [];
  // Id of the kept person, by the id of each person that was merged into it.
  const mergedInto = new Map<string, string>();
  const getCurrentId = (id: string): string => mergedInto.get(id) ?? id;
  for (const [index, face] of sorted.entries()) {
    const earlierFace = earlier.matches[index];
    const { known, lowQuality } = similar[index]!;
    const similarities = findSimilarPeople(face.embedding, assigned.flatMap(toKnownFaces));
    for (const { personId, likeness } of known)
      similarities.set(getCurrentId(personId), Math.max(likeness, similarities.get(getCurrentId(personId)) ?? 0));
    for (const id of rejected.get(earlierFace?.id ?? '') ?? []) similarities.delete(getCurrentId(id));
    const earlierPersonId = earlierFace?.person_id ?? null;
    const { merge, ...assignment } = await assignPerson(trx, item.user_id, {
      isFounding: face.isFounding,
      earlierPersonId: earlierPersonId === null ? null : getCurrentId(earlierPersonId),
      similarities,
    });
    for (const id of merge?.ids ?? []) {
      if (id === merge!.keptId) continue;
      for (const [removedId, keptId] of mergedInto) if (keptId === id) mergedInto.set(removedId, merge!.keptId);
      mergedInto.set(id, merge!.keptId);
    }
    for (const [at, other] of assigned.entries())
      assigned[at] = { ...other, personId: other.personId === null ? null : getCurrentId(other.personId) };
    assigned.push({ ...face, ...assignment, lowQuality });
  }
  const ids = await writeItemFaces(trx, item, assigned, earlier);
  await writeEmbeddings(trx, item.user_id, ids, assigned);
  const founding = assigned.filter(({ isFounding }) => isFounding);
  const moved = await reassignLowQualityFaces(
    trx,
    founding.map(({ personId, lowQuality }) => ({ personId: personId!, lowQuality })),
  );
  if (moved.length === 0) return;
  // Locks the items in the order of their ids, so that two transactions cannot deadlock.
  await sql`
    with locked as (select id from media_items where id = any(${moved}::uuid[]) order by id for share)
    select count(*) from locked`.execute(trx);
  await updatePeopleOfItems(trx, moved);
};

interface PersonSimilarity {
  readonly personId: string;
  readonly likeness: number;
}

/** Returns for each face the similar people and the similar low-quality faces, without the faces in `redetected`. */
const listSimilar = async (
  trx: Database,
  userId: string,
  detected: readonly DetectedFace[],
  redetected: ReadonlySet<string>,
): Promise<readonly { readonly known: readonly PersonSimilarity[]; readonly lowQuality: readonly SimilarFace[] }[]> => {
  const similar = await findSimilarFaces(
    trx,
    userId,
    detected.map(({ embedding }) => embedding),
  );
  const owners = await listOwners(
    trx,
    similar.flatMap(({ founding }) => founding.map(({ id }) => id)),
  );
  return similar.map(({ founding, poor: lowQuality }) => ({
    known: founding.flatMap(({ id, similarity }) => {
      const personId = redetected.has(id) ? undefined : owners.get(id);
      return personId === undefined ? [] : [{ personId, likeness: similarity }];
    }),
    lowQuality: lowQuality.filter(({ id }) => !redetected.has(id)),
  }));
};

interface FaceEvidence {
  readonly isFounding: boolean;
  /** Person of the face in the previous run, if any. */
  readonly earlierPersonId: string | null;
  /** Likeness by id of person. */
  readonly similarities: ReadonlyMap<string, number>;
}

const assignPerson = async (
  trx: Database,
  userId: string,
  { isFounding, earlierPersonId, similarities }: FaceEvidence,
): Promise<Pick<AssignedFace, 'personId' | 'likeness'> & { readonly merge?: MergeResult }> => {
  const best = earlierPersonId ?? findMostSimilar(similarities) ?? null;
  if (!isFounding) return { personId: best, likeness: best === null ? null : (similarities.get(best) ?? 0) };
  if (best === null) {
    const personId = randomUUID();
    await trx.insertInto('people').values({ id: personId, user_id: userId }).execute();
    return { personId, likeness: null };
  }
  const merge = await mergeSimilarPeople(trx, userId, [...new Set([best, ...similarities.keys()])]);
  return { personId: merge.ids.has(best) ? merge.keptId : best, likeness: null, merge };
};

const toKnownFaces = ({ personId, isFounding, embedding }: AssignedFace): KnownFace[] =>
  isFounding && personId !== null ? [{ personId, embedding }] : [];
