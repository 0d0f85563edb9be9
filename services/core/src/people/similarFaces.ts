import { computeSimilarity } from './faceEmbedding.ts';

/*
 * [Note: Faces that are alike] Two founding faces with a similarity of at least `minFaceSimilarity` belong to one
 * person, and so do all faces connected by such pairs (single-linkage clustering). A founding face is one of good
 * quality, which may create a person. A new face is compared with all others, and connectivity does not depend on the
 * order. So neither the order of uploads nor the number of workers changes the people. A face of poor quality founds no
 * person: it belongs to the person of the most similar founding face, if any, and connects no people.
 *
 * Two limits keep errors small. Where they separate people, the order may matter. Two people who both have many faces
 * are never merged automatically: among thousands of faces of two siblings, some pair is always similar. And no merge
 * contradicts the user: it never merges two people who are both named or hidden, or whom the user has separated by
 * removing a face. A face that is similar to several separate people belongs to the most similar one.
 */

/**
 * Minimum cosine similarity of two faces of one person. In 22 photos of 7 people and 132 variants of them, 99 % of the
 * pairs of one person have at least 0.5, and pairs of two people at most 0.26. In 300 pairs of 15 people: at least 0.48
 * and at most 0.36 (2026-11, `npm run bench:quality`).
 */
export const minFaceSimilarity = 0.45;

/** Two people who both have at least this many founding faces are not merged automatically. */
export const manyFaces = 20;

/** A known face and its person. */
export interface KnownFace {
  readonly personId: string;
  readonly embedding: Float32Array;
}

/** Returns the people with a similar face, each with the maximum similarity. */
export const findSimilarPeople = (embedding: Float32Array, known: Iterable<KnownFace>): Map<string, number> => {
  const similarities = new Map<string, number>();
  for (const face of known) {
    const similarity = computeSimilarity(embedding, face.embedding);
    if (similarity >= minFaceSimilarity && similarity > (similarities.get(face.personId) ?? 0))
      similarities.set(face.personId, similarity);
  }
  return similarities;
};

/** Returns the person with the maximum similarity; if several have it, the one with the lowest id. */
export const findMostSimilar = (similarities: ReadonlyMap<string, number>): string | undefined => {
  let best: string | undefined;
  for (const [id, similarity] of similarities) {
    const bestSimilarity = best === undefined ? -1 : similarities.get(best)!;
    if (similarity > bestSimilarity || (similarity === bestSimilarity && id < best!)) best = id;
  }
  return best;
};

/** The properties of a person that decide about a merge. */
export interface MergeCandidate {
  readonly id: string;
  /** The user has named or hidden the person. */
  readonly hasUserInput: boolean;
  /** Number of founding faces, counted up to `manyFaces`. */
  readonly faces: number;
}

/**
 * Returns the people to merge into the first one, among people who are similar to the same face.
 * @param people first the one to keep
 * @param areSeparate returns true if the user has separated the two people
 */
export const choosePeopleToMerge = (
  [target, ...others]: readonly MergeCandidate[],
  areSeparate: (one: string, other: string) => boolean,
): readonly MergeCandidate[] => {
  if (target === undefined) return [];
  const chosen: MergeCandidate[] = [];
  let { faces } = target;
  for (const other of others) {
    const haveManyFaces = Math.min(faces, other.faces) >= manyFaces;
    const haveUserInput = target.hasUserInput && other.hasUserInput;
    if (haveManyFaces || haveUserInput || [target, ...chosen].some(({ id }) => areSeparate(id, other.id))) continue;
    chosen.push(other);
    faces += other.faces;
  }
  return chosen;
};
