import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findAlike, mostAlike, type KnownFace } from '@hearth/core/people/alikeFaces.ts';
import { settleEarlierFaces } from '@hearth/core/people/earlierFaces.ts';
import { decodeEmbedding, encodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import { listOwners } from '@hearth/core/people/faceOwners.ts';
import { putItemsToPeople, writeItemFaces, type FoundFace } from '@hearth/core/people/itemFaces.ts';
import { joinFacesLike } from './joiningFaces.ts';
import { joinAlike, type Joined } from './joinAlike.ts';
import { listRejected } from '@hearth/core/people/rejections.ts';
import { findNearFaces, type NearFace } from '@hearth/core/people/userFaces.ts';
import { writeEmbeddings } from './writeEmbeddings.ts';

/** A face that was found on an item, and by what it is told from others. */
export interface SeenFace extends Omit<FoundFace, 'personId'> {
  /** Of length 1. */
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
}

/** Whose a face is, as far as is known before it is written. */
interface RecognisedFace extends SeenFace {
  readonly personId: string | null;
  /** How like it the founding face is by which it has its person; null where it is nobody's. */
  readonly likeness: number | null;
  /** The faces of other pictures that are like it and found nobody. */
  readonly poor: readonly NearFace[];
}

/**
 * Gives an item these faces and no others, and puts each to its person, see [Note: Faces that are alike]. A face that was found before stays with
 * its person. To be called behind `lockPeople`, where the item's row is locked.
 */
export const recogniseFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  seen: readonly SeenFace[],
): Promise<void> => {
  // Those that found people first: in whatever order they were found, the others see all of them. And as they are stored, so that a likeness is the same later.
  const sorted = seen
    .toSorted((a, b) => Number(b.isFounding) - Number(a.isFounding))
    .map((face): SeenFace => Object.assign({}, face, { embedding: decodeEmbedding(encodeEmbedding(face.embedding)) }));
  const earlier = await settleEarlierFaces(trx, item.id, sorted);
  const again = earlier.matches.flatMap((face) => face?.id ?? []);
  const rejected = await listRejected(trx, again);
  const near = await listNear(trx, item.user_id, sorted, new Set(again));
  const recognised: RecognisedFace[] = [];
  // Who has gone up in whom, for the sake of a face of this picture.
  const gone = new Map<string, string>();
  const nowOf = (id: string): string => gone.get(id) ?? id;
  for (const [index, face] of sorted.entries()) {
    const before = earlier.matches[index];
    const { known, poor } = near[index]!;
    const alike = findAlike(face.embedding, recognised.flatMap(knownFace));
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
  await putItemsToPeople(trx, moved);
};

interface KnownLikeness {
  readonly personId: string;
  readonly likeness: number;
}

/** For each of these faces, whom it is like, and the faces that are like it and found nobody; without those that are found again just now. */
const listNear = async (
  trx: Database,
  userId: string,
  seen: readonly SeenFace[],
  again: ReadonlySet<string>,
): Promise<readonly { readonly known: readonly KnownLikeness[]; readonly poor: readonly NearFace[] }[]> => {
  const near = await findNearFaces(
    trx,
    userId,
    seen.map(({ embedding }) => embedding),
  );
  const owners = await listOwners(
    trx,
    near.flatMap(({ founding }) => founding.map(({ id }) => id)),
  );
  return near.map(({ founding, poor }) => ({
    known: founding.flatMap(({ id, likeness }) => {
      const personId = again.has(id) ? undefined : owners.get(id);
      return personId === undefined ? [] : [{ personId, likeness }];
    }),
    poor: poor.filter(({ id }) => !again.has(id)),
  }));
};

/** What decides whose a face is. */
interface Circumstances {
  readonly isFounding: boolean;
  /** Whose face it was when it was found before. */
  readonly before: string | null;
  /** Whom it is like. */
  readonly alike: ReadonlyMap<string, number>;
}

const recognise = async (
  trx: Database,
  userId: string,
  { isFounding, before, alike }: Circumstances,
): Promise<Pick<RecognisedFace, 'personId' | 'likeness'> & { readonly joined?: Joined }> => {
  const best = before ?? mostAlike(alike) ?? null;
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
