/** An upright rectangle, its unit and frame said where it is used. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Something that a model has found. */
export interface Candidate {
  readonly box: Box;
  /** How sure the model is, 0 to 1. */
  readonly score: number;
}

/**
 * The best of candidates for the same thing, surest first: of two boxes whose intersection is more than `maxShare` of their union only the
 * surer one stays.
 */
export function suppressOverlaps<Found extends Candidate>(candidates: readonly Found[], maxShare: number): Found[] {
  const kept: Found[] = [];
  for (const each of candidates.toSorted((a, b) => b.score - a.score))
    if (kept.every(({ box }) => sharedPart(box, each.box) <= maxShare)) kept.push(each);
  return kept;
}

/** The part of a box that lies in a frame of this size. */
export function cutBox({ left, top, width, height }: Box, frameWidth: number, frameHeight: number): Box {
  const [x, y] = [clamp(left, frameWidth), clamp(top, frameHeight)];
  return { left: x, top: y, width: clamp(left + width, frameWidth) - x, height: clamp(top + height, frameHeight) - y };
}

/** A box as parts of the width and height of its frame, 0 to 1. */
export const relativeBox = ({ left, top, width, height }: Box, frame: { width: number; height: number }): Box => ({
  left: left / frame.width,
  top: top / frame.height,
  width: width / frame.width,
  height: height / frame.height,
});

/** Intersection over union, 0 to 1. */
const sharedPart = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
};

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
