import { createRandom } from '../run/seededRandom.ts';

/** Length of an embedding. */
const dimensions = 128;

/** Generates embeddings, the same in every run. Two generated people are about as dissimilar as two real people. */
export interface FaceGenerator {
  /** Returns the embedding of a new person. */
  readonly person: () => Float32Array;
  /** Returns a face of a person with about this similarity to the person's embedding. */
  readonly makeFace: (person: Float32Array, similarity: number) => Float32Array;
}

export const makeFaceGenerator = (seed: number): FaceGenerator => {
  const { fraction } = createRandom(seed);
  // Sums of uniform numbers are approximately normal, so that all directions are equally likely.
  const direction = (): Float32Array =>
    normalise(Float32Array.from({ length: dimensions }, () => fraction() + fraction() + fraction() - 1.5));
  return {
    person: direction,
    makeFace: (person, similarity) => {
      const noise = direction();
      const rest = Math.sqrt(1 - similarity * similarity);
      return normalise(person.map((value, i) => similarity * value + rest * noise[i]!));
    },
  };
};

const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
};
