import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findSimilarPeople, findMostSimilar, type KnownFace } from '@hearth/core/people/similarFaces.ts';
import { matchEarlierFaces } from '@hearth/core/people/earlierFaces.ts';
import { decodeEmbedding, encodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import { updatePeopleOfItems, writeItemFaces, type FoundFace } from '@hearth/core/people/itemFaces.ts';
import { joinFacesLike } from './joiningFaces.ts';
import { joinAlike, type Joined } from './joinAlike.ts';
import { listRejected } from '@hearth/core/people/rejections.ts';
import { findSimilarFaces, type SimilarFace } from '@hearth/core/people/userFaces.ts';
import { writeEmbeddings } from './writeEmbeddings.ts';

/** A face detected on an item, with its embedding. */
export interface SeenFace extends Omit<FoundFace, 'personId'> {
  /** Unit length. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
}

/** A detected face with its person, before it is written. */
interface RecognisedFace extends SeenFace {
  readonly personId: string | null;
  /** Likeness to the founding face that decided the person; null without a person, and for a founding face. */
  readonly likeness: number | null;
  /** Similar faces of other pictures that are below founding quality. */
  readonly poor: readonly SimilarFace[];
}

/**
 * Replaces the faces of an item and assigns each to a person, see [Note: Faces that are alike]. A face that was found before keeps its person. Call
 * only while holding `lockPeople` and a lock on the item's row.
 */
export const recogniseFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  seen: readonly SeenFace[],
): Promise<void> => {
  // Founding faces first, so that the result does not depend on the order of detection. Embeddings are rounded as in the database, so that
  // likenesses computed later are equal.
  const sorted = seen
    .toSorted((a, b) => Number(b.isFounding) - Number(a.isFounding))
    .map((face): SeenFace => Object.assign({}, face, { embedding: decodeEmbedding(encodeEmbedding(face.embedding)) }));
  const earlier = await matchEarlierFaces(trx, item.id, sorted);
  const again = earlier.matches.flatMap((face) => face?.id ?? []);
  const rejected = await listRejected(trx, again);
  const near = await listNear(trx, item.user_id, sorted, new Set(again));
  const recognised: RecognisedFace[] = [];
  // Merged people, by id of the removed one.
  const gone = new Map<string, string>();
  const nowOf = (id: string): string => gone.get(id) ?? id;
  for (const [index, face] of sorted.entries()) {
    const before = earlier.matches[index];
    const { known, poor } = near[index]!;
    const alike = findSimilarPeople(face.embedding, recognised.flatMap(knownFace));
    for (const { personId, likeness } of known)
      alike.set(nowOf(personId), Math.max(likeness, alike.get(nowOf(personId)) ?? 0));
    for (const id of rejected.get(before?.id ?? '') ?? []) alike.delete(nowOf(id));
    const whose = before?.person_id ?? null;
    const { joined, ...own } = await recognise(trx, item.user_id, {
      isFounding: face.isFounding,
      before: whose === null ? null : nowOf(whose),
      alike,
    });
    for (const id of joined?.joined ?? []) {
      if (id === joined!.stays) continue;
      for (const [other, stays] of gone) if (stays === id) gone.set(other, joined!.stays);
      gone.set(id, joined!.stays);
    }
    for (const [at, other] of recognised.entries())
      recognised[at] = { ...other, personId: other.personId === null ? null : nowOf(other.personId) };
    recognised.push({ ...face, ...own, poor });
  }
  const ids = await writeItemFaces(trx, item, recognised, earlier);
  await writeEmbeddings(trx, item.user_id, ids, recognised);
  const founding = recognised.filter(({ isFounding }) => isFounding);
  const moved = await joinFacesLike(
    trx,
    founding.map(({ personId, poor }) => ({ personId: personId!, poor })),
  );
  if (moved.length === 0) return;
  await sql`
    with locked as (select id from media_items where id = any(${moved}::uuid[]) order by id for share)
    select count(*) from locked`.execute(trx);
  await updatePeopleOfItems(trx, moved);
};

interface KnownLikeness {
  readonly personId: string;
  readonly likeness: number;
}

/** Returns for each face the similar people and the similar low-quality faces, without the faces in `again`. */
const listNear = async (
  trx: Database,
  userId: string,
  seen: readonly SeenFace[],
  again: ReadonlySet<string>,
): Promise<readonly { readonly known: readonly KnownLikeness[]; readonly poor: readonly SimilarFace[] }[]> => {
  const near = await findSimilarFaces(
    trx,
    userId,
    seen.map(({ embedding }) => embedding),
  );
  const owners = await listOwners(
    trx,
    near.flatMap(({ founding }) => founding.map(({ id }) => id)),
  );
  return near.map(({ founding, poor }) => ({
    known: founding.flatMap(({ id, similarity }) => {
      const personId = again.has(id) ? undefined : owners.get(id);
      return personId === undefined ? [] : [{ personId, likeness: similarity }];
    }),
    poor: poor.filter(({ id }) => !again.has(id)),
  }));
};

interface Circumstances {
  readonly isFounding: boolean;
  /** The person of the face when it was found before. */
  readonly before: string | null;
  /** Likeness by id of person. */
  readonly alike: ReadonlyMap<string, number>;
}

const recognise = async (
  trx: Database,
  userId: string,
  { isFounding, before, alike }: Circumstances,
): Promise<Pick<RecognisedFace, 'personId' | 'likeness'> & { readonly joined?: Joined }> => {
  const best = before ?? findMostSimilar(alike) ?? null;
  if (!isFounding) return { personId: best, likeness: best === null ? null : (alike.get(best) ?? 0) };
  if (best === null) {
    const personId = randomUUID();
    await trx.insertInto('people').values({ id: personId, user_id: userId }).execute();
    return { personId, likeness: null };
  }
  const joined = await joinAlike(trx, userId, [...new Set([best, ...alike.keys()])]);
  return { personId: joined.joined.has(best) ? joined.stays : best, likeness: null, joined };
};

const knownFace = ({ personId, isFounding, embedding }: RecognisedFace): KnownFace[] =>
  isFounding && personId !== null ? [{ personId, embedding }] : [];
