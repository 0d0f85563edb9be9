import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { minLikeness } from './alikeFaces.ts';
import { decodeEmbedding, embeddingVersion, likenessOf } from './faceEmbedding.ts';
import { forgetPeople, giveFace } from './itemFaces.ts';
import { rejections } from './rejections.ts';

/** A founding face that others may join. */
export interface JoiningFace {
  readonly personId: string;
  readonly embedding: Float32Array;
  /** The people whom it could be of. */
  readonly lookalikes: readonly string[];
}

/**
 * Puts faces that found nobody to the people of these new founding faces, where they are more like one of these than like any that there were.
 * Answers the items whose people have changed.
 */
export const joinFacesLike = async (
  trx: Database,
  userId: string,
  founding: readonly JoiningFace[],
): Promise<string[]> => {
  if (founding.length === 0) return [];
  const people = new Set(founding.flatMap(({ personId, lookalikes }) => [personId, ...lookalikes]));
  const moved = new Set<string>();
  const left = new Set<string>();
  for (const face of await listJoining(trx, userId, [...people])) {
    const best = findBest(face, founding);
    if (best === undefined) continue;
    const { personId, likeness } = best;
    await trx.updateTable('face_embeddings').set({ likeness }).where('face_id', '=', face.id).execute();
    if (face.personId === personId) continue;
    await giveFace(trx, face.id, personId);
    moved.add(face.mediaItemId);
    if (face.personId !== null) left.add(face.personId);
  }
  if (left.size > 0) await forgetPeople(trx, [...left]);
  return [...moved];
};

interface ListedFace {
  readonly id: string;
  readonly mediaItemId: string;
  readonly personId: string | null;
  readonly embedding: Buffer;
  readonly likeness: number | null;
  /** The people of whom a user has said that the face is not theirs. */
  readonly rejected: readonly string[];
}

/** The founding face that this one is most like, if it is more like that than like any before. */
const findBest = (
  { embedding, likeness, rejected }: ListedFace,
  founding: readonly JoiningFace[],
): { readonly personId: string; readonly likeness: number } | undefined => {
  const own = decodeEmbedding(embedding);
  let best: { personId: string; likeness: number } | undefined;
  for (const each of founding) {
    const found = likenessOf(own, each.embedding);
    if (found < minLikeness || found <= (best?.likeness ?? likeness ?? 0) || rejected.includes(each.personId)) continue;
    best = { personId: each.personId, likeness: found };
  }
  return best;
};

/** The most faces of nobody that are compared with new founding ones; far more than are there but in a library of crowds. */
const maxJoining = 5_000;

/** The most of a person. */
const maxFacesOfPerson = 500;

/** The faces that found nobody, of these people and of nobody yet. */
const listJoining = async (trx: Database, userId: string, personIds: readonly string[]): Promise<ListedFace[]> => {
  const columns = sql`
    faces.id, media_item_id as "mediaItemId", faces.person_id as "personId", embedding, likeness,
    array(select said.person_id from ${rejections} as said where said.face_id = faces.id) as rejected`;
  const isPoor = sql`not is_founding and version = ${embeddingVersion}`;
  // Of each person by themselves: by an index on people, and not through all faces of the user.
  const { rows } = await sql<ListedFace>`
    (select ${columns} from face_embeddings join faces on faces.id = face_id
      where user_id = ${userId} and likeness is null and ${isPoor} order by quality desc, faces.id limit ${maxJoining})
    union all
    select joining.* from unnest(${personIds}::uuid[]) as person (id)
    cross join lateral (
      select ${columns} from faces join face_embeddings on face_id = faces.id
      where faces.person_id = person.id and ${isPoor} order by quality desc, faces.id limit ${maxFacesOfPerson}
    ) as joining`.execute(trx);
  return rows;
};
