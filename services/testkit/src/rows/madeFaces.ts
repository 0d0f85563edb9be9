import { createRandom } from '../run/seededRandom.ts';

/** As many numbers as an embedding has. */
const dimensions = 128;

/** Embeddings that are made, the same in every run. Those of different people are about as unlike as those of strangers. */
export interface MadeFaces {
  /** What a new person looks like. */
  readonly person: () => Float32Array;
  /** A face of that person: its likeness to what they look like is about `likeness`. */
  readonly faceOf: (person: Float32Array, likeness: number) => Float32Array;
}

export const makeFaces = (seed: number): MadeFaces => {
  const { fraction } = createRandom(seed);
  // Of the sum of uniform numbers: close enough to normally distributed, so that no direction is likelier than another.
  const direction = (): Float32Array =>
    normalise(Float32Array.from({ length: dimensions }, () => fraction() + fraction() + fraction() - 1.5));
  return {
    person: direction,
    faceOf: (person, likeness) => {
      const noise = direction();
      const rest = Math.sqrt(1 - likeness * likeness);
      return normalise(person.map((value, i) => likeness * value + rest * noise[i]!));
    },
  };
};

const normalise = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
};
