/** Where a face lies, in fractions of the upright picture. */
export interface FaceBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Two boxes are of one face when the area that they share is at least this part of the area that they cover together: the usual threshold in
 * benchmarks of detectors.
 */
const minOverlap = 0.5;

/**
 * For each box of `found`, which of `earlier` is of the same face, by its index; undefined where none is. Each of `earlier` is given to one face at
 * most, the one that it fits best.
 */
export const matchFaces = (earlier: readonly FaceBox[], found: readonly FaceBox[]): readonly (number | undefined)[] => {
  const pairs = found
    .flatMap((box, to) => earlier.map((other, from) => ({ from, to, overlap: overlapOf(box, other) })))
    .filter(({ overlap }) => overlap >= minOverlap)
    .toSorted((one, other) => other.overlap - one.overlap);
  const matches = Array.from<number | undefined>({ length: found.length });
  const taken = new Set<number>();
  for (const { from, to } of pairs) {
    if (taken.has(from) || matches[to] !== undefined) continue;
    matches[to] = from;
    taken.add(from);
  }
  return matches;
};

/** 0 where they do not touch, 1 where they are the same. */
const overlapOf = (one: FaceBox, other: FaceBox): number => {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (one.width * one.height + other.width * other.height - shared);
};
