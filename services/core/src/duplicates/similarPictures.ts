import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import { searchModelNames, type SearchModelName } from '../config/searchModels.ts';
import { decodeEmbedding, computeSimilarity } from '../people/faceEmbedding.ts';

/*
 * Finds photos that look the same, see [Note: Duplicates]. Both measures make mistakes: a hash describes only the
 * layout of light and dark, and an embedding only the content, which many different pictures share. The
 * measurements behind the thresholds are in docs/docs/decisions/duplicates.md.
 */

/** Maximum Hamming distance of similar photos' hashes, of 64 bits. The lookup by bands is exact up to this distance. */
export const maxHashDistance = 7;

/**
 * Minimum cosine similarity of embeddings, by model. The values for CLIP are estimates, because its weights were
 * unavailable; the hash decides most cases.
 */
export const minPictureSimilarity = {
  'tinyclip-vit-8m-16': 0.85,
  'clip-vit-b-32': 0.85,
  'concept-lite': 0.7,
} as const satisfies Readonly<Record<SearchModelName, number>>;

export interface Picture {
  readonly id: string;
  readonly hash: bigint;
}

/** A photo that is similar to another one. */
export interface SimilarPicture {
  readonly id: string;
  readonly groupId: string;
}

/**
 * Maximum number of photos to compare by embeddings, per query and in total. Limited, because many pictures with hardly
 * any content have nearly the same hash.
 */
const [comparedPerQuery, maxCompared] = [32, 1_024];

/** Returns the first similar group representative with an id before the photo's. */
export const findSimilarRepresentative = async (
  trx: Database,
  userId: string,
  picture: Picture,
): Promise<SimilarPicture | undefined> => {
  const found = await listByHash(trx, userId, picture, sql`is_centre and media_item_id < ${picture.id}`);
  const [representative] = await filterSimilar(trx, picture.id, found, 1);
  return representative;
};

/**
 * Returns photos after a representative that are similar to it and belong to a later representative. Compares at most
 * `limit` photos with similar hashes, and at most 1,024. `lastComparedId` is the last compared id if there may be more.
 */
export const listLaterSimilar = async (
  trx: Database,
  userId: string,
  picture: Picture,
  limit: number,
): Promise<{ readonly similar: readonly SimilarPicture[]; readonly lastComparedId: string | undefined }> => {
  const maxFound = Math.min(limit, maxCompared);
  const found = await listByHash(trx, userId, picture, isLater(picture, picture.id), maxFound);
  const similar = await filterSimilar(trx, picture.id, found, maxCompared);
  return { similar, lastComparedId: found.length < maxFound ? undefined : found.at(-1)!.id };
};

/** Selects the ids after `after` whose hashes are similar, regardless of their embeddings. */
export const selectLaterByHash = (userId: string, picture: Picture, after: string): RawBuilder<unknown> =>
  selectByHash(userId, picture, isLater(picture, after));

const isLater = ({ id }: Picture, after: string): RawBuilder<unknown> => sql`
  media_item_id > ${after} and exists (
    select from picture_hashes as centre
    where centre.group_id = picture.group_id and centre.is_centre and centre.media_item_id > ${id})`;

/** Returns the user's photos with similar hashes that fulfil a condition on the row `picture`, ordered by id. */
const listByHash = async (
  trx: Database,
  userId: string,
  picture: Picture,
  condition: RawBuilder<unknown>,
  limit: number = maxCompared,
): Promise<readonly SimilarPicture[]> => {
  // Materialized, because with the limit the planner would read all rows in the order of ids.
  const { rows } = await sql<SimilarPicture>`
    with by_hash as materialized (${selectByHash(userId, picture, condition)})
    select id, "groupId" from by_hash order by id limit ${limit}`.execute(trx);
  return rows;
};

const selectByHash = (userId: string, { hash }: Picture, condition: RawBuilder<unknown>): RawBuilder<unknown> => {
  const bands = splitIntoBands(hash).map(
    (band, n) => sql`${sql.ref(`band_${n}`)} = any(${listSimilarBands(band)}::integer[])`,
  );
  return sql`
    select media_item_id as id, group_id as "groupId" from picture_hashes as picture
    where user_id = ${userId} and (${sql.join(bands, sql` or `)})
      and bit_count((hash # ${String(hash)}::bigint)::bit(64)) <= ${maxHashDistance} and ${condition}`;
};

/** Splits a hash into four bands of 16 bits, the highest first. */
const splitIntoBands = (hash: bigint): readonly number[] =>
  [48n, 32n, 16n, 0n].map((shift) => Number((hash >> shift) & 0xffffn));

/** Returns a band and all bands that differ from it in one bit. */
const listSimilarBands = (band: number): readonly number[] => [
  band,
  ...Array.from({ length: 16 }, (_, bit) => band ^ (1 << bit)),
];

/** Returns the first `limit` photos whose embedding is similar to the item's, by any model with embeddings of both. */
const filterSimilar = async (
  trx: Database,
  id: string,
  found: readonly SimilarPicture[],
  limit: number,
): Promise<readonly SimilarPicture[]> => {
  const similar: SimilarPicture[] = [];
  if (found.length === 0) return similar;
  const itemEmbeddings = (await readEmbeddings(trx, [id])).get(id) ?? [];
  for (let from = 0; from < found.length && similar.length < limit; from += comparedPerQuery) {
    const batch = found.slice(from, from + comparedPerQuery);
    const embeddings = await readEmbeddings(
      trx,
      batch.map((each) => each.id),
    );
    similar.push(...batch.filter((each) => areSimilar(itemEmbeddings, embeddings.get(each.id) ?? [])));
  }
  return similar.slice(0, limit);
};

interface Embedding {
  readonly model: SearchModelName;
  readonly vector: Float32Array;
}

const areSimilar = (embeddings: readonly Embedding[], others: readonly Embedding[]): boolean =>
  embeddings.some((one) =>
    others.some(
      (other) =>
        one.model === other.model && computeSimilarity(one.vector, other.vector) >= minPictureSimilarity[one.model],
    ),
  );

const readEmbeddings = async (
  trx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Embedding[]>> => {
  const { rows } = await sql<{ id: string; model: SearchModelName; embedding: Buffer }>`
    select media_item_id as id, model, embedding from media_item_embeddings where media_item_id = any(${ids}::uuid[]) and model = any(${searchModelNames}::text[])`.execute(
    trx,
  );
  const embeddings = rows.map(({ id, model, embedding }) => ({ id, model, vector: decodeEmbedding(embedding) }));
  return Map.groupBy(embeddings, ({ id }) => id);
};
