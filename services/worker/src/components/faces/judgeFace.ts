import type { Face } from '@hearth/inference/faces/findFaces.ts';
import type { PicturePart } from '../../media/photo/cutOut.ts';

export interface JudgedFace {
  /** Suitability as the representative face of a person, 0 to 1. */
  readonly quality: number;
  /** True if the face may found a person. False for small, blurred, probably drawn and profile faces. */
  readonly isFounding: boolean;
}

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Minimum of the shorter side of a face, in pixels. Faces in a photo of a crowd have 30 (face-count/faces.jpg), those of portraits at a quarter of
 * their size 48 and more (2026-11).
 */
const minSide = 44;

/** Minimum detection score. A drawn face scored 0.82. 10 of 12 faces of a crowd scored 0.89 or more (2026-11). */
const minScore = 0.88;

/** Minimum sharpness: half of the lowest of 22 portraits and 132 variants of them, one in six scaled to 25 % (2026-11). */
const minSharpness = 0.02;

/**
 * Maximum distance of the nose from the middle between the eyes, as a fraction of the distance of the eyes. `maxTurn` and `minEyes` correspond to a
 * head turned by about 50 degrees. They are derived from geometry: the test media have no profile faces to measure.
 */
const maxTurn = 0.38;

/** Minimum distance of the eyes as a fraction of the width of the face. */
const minEyes = 0.26;

/** In pixels. Larger faces get no higher quality. */
const enoughPixels = 250;

/** Judges a face by size, sharpness and pose. `picture` is the size of the largest analysed picture. */
export const judgeFace = (face: Face, picture: PictureSize): JudgedFace => {
  const side = Math.min(face.box.width * picture.width, face.box.height * picture.height);
  const { turn, eyes } = poseOf(face, picture);
  const isFounding =
    side >= minSide && face.score >= minScore && face.sharpness >= minSharpness && turn <= maxTurn && eyes >= minEyes;
  const size = Math.min(1, side / enoughPixels);
  const frontal = Math.max(0, 1 - turn);
  const sharp = Math.min(1, face.sharpness / (4 * minSharpness));
  return { quality: (isFounding ? 0.5 : 0) + 0.5 * face.score * Math.sqrt(size * frontal * sharp), isFounding };
};

/**
 * `turn`: distance of the nose from the middle between the eyes, along the line through them, as a fraction of their distance. `eyes`: distance of
 * the eyes as a fraction of the width of the face.
 */
const poseOf = (
  { landmarks, box }: Pick<Face, 'landmarks' | 'box'>,
  picture: PictureSize,
): { readonly turn: number; readonly eyes: number } => {
  const [right, left, nose] = landmarks.map(({ x, y }) => ({ x: x * picture.width, y: y * picture.height }));
  const across = { x: left!.x - right!.x, y: left!.y - right!.y };
  const distance = Math.hypot(across.x, across.y);
  if (distance === 0) return { turn: Infinity, eyes: 0 };
  const along = ((nose!.x - right!.x) * across.x + (nose!.y - right!.y) * across.y) / (distance * distance);
  return { turn: Math.abs(along - 0.5), eyes: distance / (box.width * picture.width) };
};

/** Side of a face thumbnail, as a multiple of the longer side of the face. The margin shows hair, chin and some background. */
const room = 1.8;

/** Returns the square around a face, moved and shrunk to lie inside the picture. Fractions of the upright picture. */
export const framePart = (box: PicturePart, { width, height }: PictureSize): PicturePart => {
  const side = Math.min(width, height, room * Math.max(box.width * width, box.height * height));
  return {
    left: within(box.left + box.width / 2, side / width),
    top: within(box.top + box.height / 2, side / height),
    width: side / width,
    height: side / height,
  };
};

/** Returns the start of a span with this middle and length, clamped so that the span lies in [0, 1]. */
const within = (middle: number, length: number): number => Math.max(0, Math.min(1 - length, middle - length / 2));
