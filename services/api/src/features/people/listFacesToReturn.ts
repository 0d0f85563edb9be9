import { sql, type RawBuilder } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import type { MergedPersonRow } from '@hearth/core/db/schema.ts';
import { findSimilarPeople, findMostSimilar, type KnownFace } from '@hearth/core/people/similarFaces.ts';
import { decodeEmbedding, embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';

/** A face that a reverted merge returns to its person. */
export interface ReturningFace {
  readonly id: string;
  readonly mediaItemId: string;
}

/**
 * Lists the faces to return to a merged person: own faces that the other person still has, and faces added since the merge
 * that are more similar to the merged person.
 */
export const listFacesToReturn = async (trx: Database, merged: MergedPersonRow): Promise<ReturningFace[]> => {
  const { rows: own } = await sql<ReturningFace>`
    select id, media_item_id as "mediaItemId" from faces
    where person_id = ${merged.person_id} and ${isOwn(merged)} order by id`.execute(trx);
  // A person without own faces is not restored.
  return own.length === 0 ? [] : [...own, ...(await listLaterFaces(trx, merged))];
};

/** SQL for the time of a merge. A `Date` would lose microseconds. */
export const mergedAt = (id: string): RawBuilder<Date> => sql`(select merged_at from merged_people where id = ${id})`;

const isOwn = ({ id }: MergedPersonRow): RawBuilder<boolean> =>
  sql`exists (select from merged_faces where merged_faces.person_id = ${id} and face_id = faces.id)`;

/** Maximum number of later faces to compare, oldest first, which takes a quarter of a second. Further faces stay. */
const maxLaterFaces = 2_000;

/** Maximum number of faces per side to compare with, best first. */
const maxKnownFaces = 500;

const listLaterFaces = async (trx: Database, merged: MergedPersonRow): Promise<ReturningFace[]> => {
  const { id, person_id: from } = merged;
  const { rows: later } = await sql<ReturningFace & { readonly embedding: Buffer }>`
    select faces.id, media_item_id as "mediaItemId", embedding from faces join face_embeddings on face_embeddings.face_id = faces.id
    where faces.person_id = ${from} and joined_at > ${mergedAt(id)} and version = ${embeddingVersion}
      and not exists (
        select from merged_faces join merged_people on merged_people.id = merged_faces.person_id
        where merged_faces.face_id = faces.id and merged_people.person_id = ${from})
      and not exists (
        select from merged_rejections
        where merged_rejections.person_id = ${id} and merged_rejections.face_id = faces.id)
    order by joined_at, faces.id limit ${maxLaterFaces}`.execute(trx);
  if (later.length === 0) return [];
  const knownFaces = [
    ...(await listKnown(trx, merged, id, isOwn(merged))),
    ...(await listKnown(trx, merged, from, sql`joined_at <= ${mergedAt(id)} and not ${isOwn(merged)}`)),
  ];
  return later.filter((face) => findMostSimilar(findSimilarPeople(decodeEmbedding(face.embedding), knownFaces)) === id);
};

/** Lists the founding faces (good enough to define a person) of one side of the merge, labelled with `personId`. */
const listKnown = async (
  trx: Database,
  { person_id }: MergedPersonRow,
  personId: string,
  isOfSide: RawBuilder<boolean>,
): Promise<KnownFace[]> => {
  const { rows } = await sql<{ embedding: Buffer }>`
    select embedding from faces join face_embeddings on face_embeddings.face_id = faces.id
    where faces.person_id = ${person_id} and is_founding and version = ${embeddingVersion} and ${isOfSide}
    order by quality desc, faces.id limit ${maxKnownFaces}`.execute(trx);
  return rows.map(({ embedding }) => ({ personId, embedding: decodeEmbedding(embedding) }));
};
