import { encodeEmbedding } from '../../db/explore/faceEmbedding.ts';
import { embeddingLength, type SearchModelName } from '../../searchModels.ts';
import { queryOnce } from '../postgres.ts';
import { createRandom, type Random } from '../seededRandom.ts';

/** Vectors that lie as those of the stand-in model do: each concept has one, and a picture is the mix of a few concepts and of something of its own. */
export interface MadeVectors {
  /** [concepts][512] */
  readonly concepts: readonly Float32Array[];
  /** The vector of another picture. */
  next(): Float32Array;
}

export const makeVectors = (seed: number, concepts = 400): MadeVectors => {
  const random = createRandom(seed);
  return mixVectors(
    seed + 1,
    Array.from({ length: concepts }, () => normalise(drawNormal(random))),
  );
};

/** Pictures of given concepts. */
export const mixVectors = (seed: number, concepts: readonly Float32Array[]): MadeVectors => {
  const random = createRandom(seed);
  return {
    concepts,
    next: () => {
      const parts = [1, 0.7, 0.5].map((weight) => [weight, random.pick(concepts)] as const);
      const own = normalise(drawNormal(random));
      return normalise(
        own.map((value, i) => parts.reduce((sum, [weight, concept]) => sum + weight * concept[i]!, 0.6 * value)),
      );
    },
  };
};

const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/** Normally distributed numbers: the sum of twelve fractions has a deviation of 1. */
const drawNormal = (random: Random): Float32Array =>
  Float32Array.from({ length: embeddingLength }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += random.fraction();
    return sum;
  });

/** Gives items of a user embeddings, as SEARCH does, and answers these as they are kept: rounded to half floats. */
export const fillEmbeddings = async (
  url: string,
  { userId, model, ids }: { readonly userId: string; readonly model: SearchModelName; readonly ids: readonly string[] },
  vectors: MadeVectors,
): Promise<ReadonlyMap<string, Float32Array>> => {
  const kept = new Map<string, Float32Array>();
  for (let from = 0; from < ids.length; from += 1_000) {
    const some = ids.slice(from, from + 1_000);
    const bytes = some.map((id) => {
      const encoded = encodeEmbedding(vectors.next());
      kept.set(id, new Float32Array(new Float16Array(Uint8Array.from(encoded).buffer)));
      return encoded;
    });
    await queryOnce(
      url,
      `insert into media_item_embeddings (media_item_id, model, user_id, embedding)
       select id, $2, $1, embedding from unnest($3::uuid[], $4::bytea[]) as made (id, embedding)`,
      [userId, model, some, bytes],
    );
  }
  await queryOnce(url, 'insert into answering_models (user_id, model) values ($1, $2) on conflict do nothing', [
    userId,
    model,
  ]);
  return kept;
};
