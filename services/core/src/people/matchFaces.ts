import { minLikeness } from './alikeFaces.ts';
import { likenessOf } from './faceEmbedding.ts';

/** Where a face lies, in fractions of the upright picture. */
export interface FaceBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A face on a picture. */
export interface PlacedFace {
  readonly box: FaceBox;
  /** What tells it from others; undefined where that cannot be compared with those of the others. */
  readonly embedding?: Float32Array | undefined;
}

/**
 * Two boxes are of one face when the area that they share is at least this part of the area that they cover together: the usual threshold in
 * benchmarks of detectors.
 */
const minOverlap = 0.5;

/** The same where no better match is left: the detector itself takes two boxes for one face from this on (`maxShare` of `detectFaces.ts`). */
const leastOverlap = 0.3;

/**
 * For each face of `found`, which of `earlier` is the same face of the picture, by its index; undefined where none is. Each of `earlier` is given to one
 * face at most. First those whose boxes fit, the best fit first; of the others those that are alike, wherever they lie; then those whose boxes still meet.
 */
export const matchFaces = (
  earlier: readonly PlacedFace[],
  found: readonly PlacedFace[],
): readonly (number | undefined)[] => {
  const matches = Array.from<number | undefined>({ length: found.length });
  const taken = new Set<number>();
  const match = (fitOf: (one: PlacedFace, other: PlacedFace) => number, least: number): void => {
    const pairs = found
      .flatMap((face, to) => earlier.map((other, from) => ({ from, to, fit: fitOf(face, other) })))
      .filter(({ fit }) => fit >= least)
      .toSorted((one, other) => other.fit - one.fit);
    for (const { from, to } of pairs) {
      if (taken.has(from) || matches[to] !== undefined) continue;
      matches[to] = from;
      taken.add(from);
    }
  };
  match(overlapOf, minOverlap);
  if (taken.size < Math.min(earlier.length, found.length)) {
    match(alikenessOf, minLikeness);
    match(overlapOf, leastOverlap);
  }
  return matches;
};

const alikenessOf = ({ embedding: one }: PlacedFace, { embedding: other }: PlacedFace): number =>
  one === undefined || other === undefined ? 0 : likenessOf(one, other);

/** 0 where they do not touch, 1 where they are the same. */
const overlapOf = ({ box: one }: PlacedFace, { box: other }: PlacedFace): number => {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (one.width * one.height + other.width * other.height - shared);
};
