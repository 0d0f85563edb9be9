import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import type { KnownFace } from './alikeFaces.ts';
import { decodeEmbedding, embeddingVersion } from './faceEmbedding.ts';
import { cosineOf } from './personLooks.ts';

/**
 * How like what a person looks like a face is at least that is compared with the person's faces. A face that is like one of them is much more like
 * what they have in common: 0.69 or more in 22 photos of 7 people and 132 variants of them, against 0.22 or less of the others (2026-11).
 */
const minCentroidLikeness = 0.25;

/** The most people whose faces are compared one by one. */
const maxLookalikes = 8;

/** The most faces of a person that are compared: the best ones. */
const maxFacesOfPerson = 500;

/** Roughly what a person looks like; somebody with several looks has one of each. */
export interface Likeness {
  readonly personId: string;
  readonly centroid: Float32Array;
}

/** Roughly what everybody looks like whom a user knows. */
export const listCentroids = async (trx: Database, userId: string): Promise<Likeness[]> => {
  const rows = await trx
    .selectFrom('people')
    .innerJoin('person_centroids', 'person_id', 'people.id')
    .select(['people.id', 'centroid'])
    .where('user_id', '=', userId)
    .where('version', '=', embeddingVersion)
    .execute();
  return rows.map(({ id, centroid }) => ({ personId: id, centroid: decodeEmbedding(centroid) }));
};

/** The people whom a face could be of, those that it is most like first. */
export const findLookalikes = (embedding: Float32Array, people: readonly Likeness[]): string[] => {
  const lookalikes = people
    .map(({ personId, centroid }) => ({ personId, likeness: cosineOf(embedding, centroid) }))
    .filter(({ likeness }) => likeness >= minCentroidLikeness)
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ personId }) => personId);
  return [...new Set(lookalikes)].slice(0, maxLookalikes);
};

/** The founding faces of these people. */
export const listKnownFaces = async (trx: Database, personIds: readonly string[]): Promise<KnownFace[]> => {
  if (personIds.length === 0) return [];
  const { rows } = await sql<{ personId: string; embedding: Buffer }>`
    select person.id as "personId", known.embedding from unnest(${[...new Set(personIds)]}::uuid[]) as person (id)
    cross join lateral (
      select embedding from faces join face_embeddings on face_id = faces.id
      where person_id = person.id and is_founding and version = ${embeddingVersion}
      order by quality desc, faces.id limit ${maxFacesOfPerson}
    ) as known`.execute(trx);
  return rows.map(({ personId, embedding }) => ({ personId, embedding: decodeEmbedding(embedding) }));
};
