import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import type { MediaItemRow } from '../connection/schema.ts';
import { findAlike, mostAlike, type KnownFace } from './alikeFaces.ts';
import { findEarlierFaces, putItemsToPeople, writeItemFaces, type FoundFace } from './itemFaces.ts';
import { joinFacesLike, type JoiningFace } from './joiningFaces.ts';
import { findLookalikes, listCentroids, listKnownFaces, type Likeness } from './knownFaces.ts';
import { joinAlike, type Joined } from './joinAlike.ts';
import { listRejected } from './rejections.ts';
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
  /** The people whom it could be of. */
  readonly lookalikes: readonly string[];
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
  // Those that found people first: in whatever order they were found, the others see all of them.
  const sorted = seen.toSorted((a, b) => Number(b.isFounding) - Number(a.isFounding));
  const earlier = await findEarlierFaces(
    trx,
    item.id,
    sorted.map(({ box }) => box),
  );
  const rejected = await listRejected(
    trx,
    earlier.flatMap((face) => face?.id ?? []),
  );
  const everybody = sorted.length === 0 ? [] : await listCentroids(trx, item.user_id);
  const recognised: RecognisedFace[] = [];
  // Who has gone up in whom, for the sake of a face of this picture.
  const gone = new Map<string, string>();
  for (const [index, face] of sorted.entries()) {
    const before = earlier[index];
    const whose = before?.person_id ?? null;
    const { joined, ...own } = await recognise(trx, item.user_id, face, {
      before: whose === null ? null : (gone.get(whose) ?? whose),
      rejected: rejected.get(before?.id ?? '') ?? new Set(),
      beside: recognised,
      everybody: everybody.map(({ personId, centroid }) => ({ personId: gone.get(personId) ?? personId, centroid })),
    });
    for (const id of joined?.joined ?? []) {
      if (id === joined!.stays) continue;
      for (const [other, stays] of gone) if (stays === id) gone.set(other, joined!.stays);
      gone.set(id, joined!.stays);
    }
    for (const [at, other] of recognised.entries())
      recognised[at] = { ...other, personId: gone.get(other.personId ?? '') ?? other.personId };
    recognised.push({ ...face, ...own });
  }
  const ids = await writeItemFaces(trx, item, recognised);
  await writeEmbeddings(trx, item.user_id, ids, recognised);
  const founding = recognised.filter(({ isFounding }) => isFounding);
  const moved = await joinFacesLike(trx, item.user_id, founding.map(joiningFace));
  if (moved.length === 0) return;
  await sql`
    with locked as (select id from media_items where id = any(${moved}::uuid[]) order by id for share)
    select count(*) from locked`.execute(trx);
  await putItemsToPeople(trx, moved);
};

/** What decides whose a face is besides how it looks. */
interface Circumstances {
  /** Whose face it was when it was found before. */
  readonly before: string | null;
  readonly rejected: ReadonlySet<string>;
  /** The faces of the same picture that come before it. */
  readonly beside: readonly RecognisedFace[];
  readonly everybody: readonly Likeness[];
}

const recognise = async (
  trx: Database,
  userId: string,
  { embedding, isFounding }: SeenFace,
  { before, rejected, beside, everybody }: Circumstances,
): Promise<Pick<RecognisedFace, 'personId' | 'likeness' | 'lookalikes'> & { readonly joined: Joined | undefined }> => {
  const lookalikes = findLookalikes(embedding, everybody);
  const known = await listKnownFaces(trx, before === null ? lookalikes : [...lookalikes, before]);
  const all = [...known, ...beside.flatMap(knownFace)].filter(({ personId }) => !rejected.has(personId));
  const alike = findAlike(embedding, all);
  if (!isFounding) {
    const personId = before ?? mostAlike(alike) ?? null;
    return { personId, likeness: personId === null ? null : (alike.get(personId) ?? 0), lookalikes, joined: undefined };
  }
  const best = before ?? mostAlike(alike);
  if (best === undefined) {
    const personId = randomUUID();
    await trx.insertInto('people').values({ id: personId, user_id: userId }).execute();
    return { personId, likeness: null, lookalikes, joined: undefined };
  }
  const joined = await joinAlike(trx, userId, [...new Set([best, ...alike.keys()])]);
  return { personId: joined.joined.has(best) ? joined.stays : best, likeness: null, lookalikes, joined };
};

const knownFace = ({ personId, isFounding, embedding }: RecognisedFace): KnownFace[] =>
  isFounding && personId !== null ? [{ personId, embedding }] : [];

const joiningFace = ({ personId, embedding, lookalikes }: RecognisedFace): JoiningFace => ({
  personId: personId!,
  embedding,
  lookalikes,
});
