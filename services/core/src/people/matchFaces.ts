import { minFaceSimilarity } from './similarFaces.ts';
import { computeSimilarity } from './faceEmbedding.ts';

/** The position of a face, in fractions of the upright picture. */
export interface FaceBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedFace {
  readonly box: FaceBox;
  /** Undefined if it cannot be compared with the embeddings of the other faces. */
  readonly embedding?: Float32Array | undefined;
}

/** Two boxes are the same face from this intersection over union: the usual threshold in detector benchmarks. */
const minOverlap = 0.5;

/**
 * Threshold for faces without a better match: the detector itself takes boxes with more overlap for one face
 * (`maxShare` in `detectFaces.ts`).
 */
const minRemainingOverlap = 0.3;

/**
 * Returns the index of the same face in `earlier` for each found face, or undefined. Uses each earlier face at most
 * once. Matches by box first, then by similar embeddings at any position, then by boxes that overlap less; in each
 * step the best pairs first.
 */
export const matchFaces = (
  earlier: readonly PlacedFace[],
  found: readonly PlacedFace[],
): readonly (number | undefined)[] => {
  const matches = Array.from<number | undefined>({ length: found.length });
  const taken = new Set<number>();
  const match = (getScore: (one: PlacedFace, other: PlacedFace) => number, minScore: number): void => {
    const pairs = found
      .flatMap((face, to) => earlier.map((other, from) => ({ from, to, score: getScore(face, other) })))
      .filter(({ score }) => score >= minScore)
      .toSorted((one, other) => other.score - one.score);
    for (const { from, to } of pairs) {
      if (taken.has(from) || matches[to] !== undefined) continue;
      matches[to] = from;
      taken.add(from);
    }
  };
  match(computeOverlap, minOverlap);
  if (taken.size < Math.min(earlier.length, found.length)) {
    match(computeFaceSimilarity, minFaceSimilarity);
    match(computeOverlap, minRemainingOverlap);
  }
  return matches;
};

const computeFaceSimilarity = ({ embedding: one }: PlacedFace, { embedding: other }: PlacedFace): number =>
  one === undefined || other === undefined ? 0 : computeSimilarity(one, other);

/** Intersection over union: 0 if the boxes do not touch, 1 if they are equal. */
const computeOverlap = ({ box: one }: PlacedFace, { box: other }: PlacedFace): number => {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (one.width * one.height + other.width * other.height - shared);
};
