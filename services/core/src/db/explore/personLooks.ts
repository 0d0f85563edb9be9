import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { decodeEmbedding, embeddingVersion, encodeEmbedding, likenessOf, meanEmbedding } from './faceEmbedding.ts';

/*
 * Roughly what a person looks like is the mean of the faces. Somebody who was put together by hand of people who are not alike, such as a child and the
 * grown-up, has several looks, each with its mean: the mean of all would be like the one of whom there are most faces, and every new face of the other
 * one would be somebody new.
 */

/** Roughly what a person looks like, or looks like at times. */
export interface Look {
  /** The mean of `faces` founding faces, shorter than 1. */
  readonly centroid: Float32Array;
  readonly faces: number;
}

/**
 * How like a look a face or another look is at least that goes up in it: between the 0.69 that a face has at least with the mean of its person and the
 * 0.22 that it has at most with that of others, in 22 photos of 7 people and 132 variants of them (2026-11).
 */
const minLikeness = 0.5;

/** The looks with one more, which goes up in the one that it is most like, or is one of its own. */
export const withLook = (looks: readonly Look[], added: Look): readonly Look[] => {
  const likenesses = looks.map(({ centroid }) => cosineOf(centroid, added.centroid));
  const best = likenesses.indexOf(Math.max(...likenesses));
  const like = looks[best];
  if (like === undefined || likenesses[best]! < minLikeness) return [...looks, added];
  const centroid = meanEmbedding(like.centroid, like.faces, added.centroid, added.faces);
  return looks.with(best, { centroid, faces: like.faces + added.faces });
};

/** The cosine of embeddings or means of some. */
export const cosineOf = (one: Float32Array, other: Float32Array): number =>
  likenessOf(one, other) / Math.sqrt(likenessOf(one, one) * likenessOf(other, other));

/** Notes a founding face in what its person looks like. */
export const addToLooks = async (trx: Database, personId: string, embedding: Float32Array): Promise<void> => {
  const looks = (await listLooks(trx, [personId])).get(embeddingVersion) ?? [];
  await writeLooks(trx, personId, embeddingVersion, withLook(looks, { centroid: embedding, faces: 1 }));
};

/** Gives a person the looks of some others too. */
export const joinLooks = async (trx: Database, id: string, others: readonly string[]): Promise<void> => {
  const own = await listLooks(trx, [id]);
  for (const [version, added] of await listLooks(trx, others))
    await writeLooks(trx, id, version, added.reduce(withLook, own.get(version) ?? []));
};

/** The most faces that looks are made of: the best ones. */
const maxFaces = 500;

/** Makes anew what is known of how a person looks, of the faces that are theirs now. */
export const remakeLooks = async (trx: Database, personId: string): Promise<void> => {
  const { rows } = await sql<{ embedding: Buffer }>`
    select embedding from faces join face_embeddings on face_id = faces.id
    where person_id = ${personId} and is_founding and version = ${embeddingVersion}
    order by quality desc, faces.id limit ${maxFaces}`.execute(trx);
  const looks = rows
    .map((row) => ({ centroid: decodeEmbedding(row.embedding), faces: 1 }))
    .reduce<readonly Look[]>(withLook, []);
  await trx.deleteFrom('person_centroids').where('person_id', '=', personId).execute();
  await writeLooks(trx, personId, embeddingVersion, looks);
};

/** By version of the embeddings. */
const listLooks = async (
  trx: Database,
  personIds: readonly string[],
): Promise<ReadonlyMap<number, readonly Look[]>> => {
  const rows = await trx
    .selectFrom('person_centroids')
    .selectAll()
    .where(sql<boolean>`person_id = any(${personIds}::uuid[])`)
    .orderBy('person_id')
    .orderBy('look')
    .execute();
  const versions = Map.groupBy(rows, (row) => row.version);
  return new Map(
    [...versions].map(([version, each]) => [
      version,
      each.map(({ centroid, faces }) => ({ centroid: decodeEmbedding(centroid), faces })),
    ]),
  );
};

/** Writes looks of a person in place of those of the same place. */
const writeLooks = async (trx: Database, personId: string, version: number, looks: readonly Look[]): Promise<void> => {
  if (looks.length === 0) return;
  const rows = looks.map(({ centroid, faces }, look) => ({
    person_id: personId,
    version,
    look,
    centroid: encodeEmbedding(centroid),
    faces,
  }));
  await trx
    .insertInto('person_centroids')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['person_id', 'version', 'look'])
        .doUpdateSet(({ ref }) => ({ centroid: ref('excluded.centroid'), faces: ref('excluded.faces') })),
    )
    .execute();
};
