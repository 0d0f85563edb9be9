import pg from 'pg';
import { encodeEmbedding } from '@hearth/core/people/faceEmbedding.ts';
import { embeddingLength, type SearchModelName } from '@hearth/core/config/searchModels.ts';
import { queryOnce } from '../database/postgres.ts';
import { createRandom, type Random } from '../run/seededRandom.ts';

/**
 * Generates vectors distributed like those of the stand-in model: each concept has a vector, and a picture is a mix of a
 * few concepts and noise.
 */
export interface VectorGenerator {
  /** [concepts][512] */
  readonly concepts: readonly Float32Array[];
  /** Returns the vector of a new picture. */
  next(): Float32Array;
}

export const makeVectors = (seed: number, concepts = 400): VectorGenerator => {
  const random = createRandom(seed);
  return mixVectors(
    seed + 1,
    Array.from({ length: concepts }, () => normalise(drawNormal(random))),
  );
};

/** Makes a generator of pictures that mix these concepts. */
export const mixVectors = (seed: number, concepts: readonly Float32Array[]): VectorGenerator => {
  const random = createRandom(seed);
  return {
    concepts,
    next: () => {
      const parts = [1, 0.7, 0.5].map((weight) => [weight, random.pick(concepts)] as const);
      const noise = normalise(drawNormal(random));
      return normalise(
        noise.map((value, i) => parts.reduce((sum, [weight, concept]) => sum + weight * concept[i]!, 0.6 * value)),
      );
    },
  };
};

const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/** Draws approximately normal numbers: the sum of twelve uniform numbers has a standard deviation of 1. */
const drawNormal = (random: Random): Float32Array =>
  Float32Array.from({ length: embeddingLength }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += random.fraction();
    return sum;
  });

/** Stores embeddings of a user's items like SEARCH, and returns them as stored: rounded to half precision. */
export const fillEmbeddings = async (
  url: string,
  { userId, model, ids }: { readonly userId: string; readonly model: SearchModelName; readonly ids: readonly string[] },
  vectors: VectorGenerator,
): Promise<ReadonlyMap<string, Float32Array>> => {
  const stored = new Map<string, Float32Array>();
  for (let from = 0; from < ids.length; from += 1_000) {
    const batch = ids.slice(from, from + 1_000);
    const bytes = batch.map((id) => {
      const encoded = encodeEmbedding(vectors.next());
      stored.set(id, new Float32Array(new Float16Array(Uint8Array.from(encoded).buffer)));
      return encoded;
    });
    await queryOnce(
      url,
      `insert into media_item_embeddings (media_item_id, model, user_id, embedding)
       select id, $2, $1, embedding from unnest($3::uuid[], $4::bytea[]) as made (id, embedding)`,
      [userId, model, batch, bytes],
    );
  }
  await queryOnce(url, 'insert into answering_models (user_id, model) values ($1, $2) on conflict do nothing', [
    userId,
    model,
  ]);
  return stored;
};

/**
 * Does the same as `fillEmbeddings` for large numbers of items, where triggers would take hours. Writes the signatures
 * itself, and also the vectors if `embedding_vectors` exists.
 * @throws Error if those of the last 100 items differ from the values that the database derives
 */
export const fillManyEmbeddings = async (
  url: string,
  { userId, model, ids }: { readonly userId: string; readonly model: SearchModelName; readonly ids: readonly string[] },
  vectors: VectorGenerator,
): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ hasVectors: boolean }>(
      `select to_regclass('embedding_vectors') is not null as "hasVectors"`,
    );
    const { hasVectors } = rows[0]!;
    await client.query('alter table media_item_embeddings disable trigger user');
    for (let from = 0; from < ids.length; from += 500) {
      const batch = ids.slice(from, from + 500);
      const bytes = batch.map(() => encodeEmbedding(vectors.next()));
      await client.query(
        `with made as (select * from unnest($3::uuid[], $4::bytea[], $5::text[]) as made (id, embedding, signature)),
           kept as (insert into media_item_embeddings (media_item_id, model, user_id, embedding) select id, $2, $1, embedding from made)
         insert into embedding_signatures (media_item_id, model, user_id, visibility, signature)
         select id, $2, $1, visibility, signature::bit(512) from made join media_items using (id)`,
        [userId, model, batch, bytes, bytes.map(toSignature)],
      );
      if (hasVectors)
        await client.query(
          `insert into embedding_vectors (media_item_id, model, user_id, visibility, embedding)
           select item.id, $2, $1, visibility, made.embedding
           from (values ${batch.map((_, n) => `($${2 * n + 3}::uuid, $${2 * n + 4}::halfvec)`).join()}) as made (id, embedding)
             join media_items as item using (id)`,
          [userId, model, ...batch.flatMap((id, n) => [id, toHalfVector(bytes[n]!)])],
        );
    }
    await client.query('alter table media_item_embeddings enable trigger user');
    await client.query('insert into answering_models (user_id, model) values ($1, $2) on conflict do nothing', [
      userId,
      model,
    ]);
    const { rows: wrong } = await client.query(
      `select from media_item_embeddings as kept join embedding_signatures as derived using (media_item_id, model)
       ${hasVectors ? 'join embedding_vectors as vector using (media_item_id, model)' : ''}
       where media_item_id = any($1) and model = $2 and (embedding_signature_of(kept.embedding) <> signature
         ${hasVectors ? 'or embedding_numbers_of(kept.embedding)::halfvec <> vector.embedding' : ''})`,
      [ids.slice(-100), model],
    );
    if (wrong.length > 0) throw new Error('written embedding signatures differ from those that the database derives');
  } finally {
    await client.end();
  }
};

/** Returns a bit for each number of an encoded embedding: 0 if it is negative. */
const toSignature = (encoded: Buffer): string => {
  let signs = '';
  for (let at = 1; at < encoded.length; at += 2) signs += encoded[at]! < 128 ? '1' : '0';
  return signs;
};

/**
 * Converts an encoded embedding to pgvector's binary format of `halfvec`: number of dimensions, two zero bytes, and the
 * numbers in big-endian order.
 */
const toHalfVector = (encoded: Buffer): Buffer =>
  Buffer.concat([Buffer.from([embeddingLength >> 8, embeddingLength & 255, 0, 0]), Buffer.from(encoded).swap16()]);
