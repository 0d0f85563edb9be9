/** An upright rectangle. Its users define unit and frame. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Candidate {
  readonly box: Box;
  /** The confidence of the model, 0 to 1. */
  readonly score: number;
}

/**
 * Non-maximum suppression: of two boxes with an intersection over union above `maxShare`, keeps the one with the higher
 * score. Sorts by score.
 */
export function suppressOverlaps<Found extends Candidate>(candidates: readonly Found[], maxShare: number): Found[] {
  const kept: Found[] = [];
  for (const each of candidates.toSorted((a, b) => b.score - a.score))
    if (kept.every(({ box }) => computeOverlap(box, each.box) <= maxShare)) kept.push(each);
  return kept;
}

/** Clips a box to a frame. */
export function cutBox({ left, top, width, height }: Box, frameWidth: number, frameHeight: number): Box {
  const [x, y] = [clamp(left, frameWidth), clamp(top, frameHeight)];
  return { left: x, top: y, width: clamp(left + width, frameWidth) - x, height: clamp(top + height, frameHeight) - y };
}

/** Converts a box to fractions of its frame, 0 to 1. */
export const relativeBox = ({ left, top, width, height }: Box, frame: { width: number; height: number }): Box => ({
  left: left / frame.width,
  top: top / frame.height,
  width: width / frame.width,
  height: height / frame.height,
});

/** Intersection over union, 0 to 1. */
const computeOverlap = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const intersection = width * height;
  return intersection / (a.width * a.height + b.width * b.height - intersection);
};

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value));
