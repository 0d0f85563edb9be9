import type { Face } from '@hearth/inference/faces/findFaces.ts';
import type { PicturePart } from '../../media/photo/cropParts.ts';

export interface FaceQuality {
  /** Suitability as the representative face of a person, 0 to 1. */
  readonly quality: number;
  /** True if the face may start a new person (a founding face). False for small, blurred, probably drawn and profile faces. */
  readonly isFounding: boolean;
}

/** Size of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Minimum length of the shorter side of a face, in pixels. Measured in 2026-11: 30 in a photo of a crowd (face-count/faces.jpg), 48 or more in
 * portraits scaled to 25 %.
 */
const minSidePx = 44;

/** Minimum detection score. A drawn face scored 0.82. 10 of 12 faces of a crowd scored 0.89 or more (2026-11). */
const minScore = 0.88;

/** Minimum sharpness: half of the lowest of 22 portraits and 132 variants of them, one in six scaled to 25 % (2026-11). */
const minSharpness = 0.02;

/**
 * Maximum distance of the nose from the middle between the eyes, as a fraction of the distance between the eyes. `maxYaw` and `minEyeDistance`
 * correspond to a head turned by about 50 degrees. They are derived from geometry: the test media have no profile faces to measure.
 */
const maxYaw = 0.38;

/** Minimum distance between the eyes, as a fraction of the width of the face. */
const minEyeDistance = 0.26;

/** Shorter side of a face, in pixels, above which a larger face gets no higher quality. */
const fullQualityPx = 250;

/**
 * Judges a face by size, sharpness and pose. A founding face gets a quality above 0.5, any other face at most 0.5. `picture` is the size of the
 * largest analysed picture.
 */
export const assessFace = (face: Face, picture: PictureSize): FaceQuality => {
  const side = Math.min(face.box.width * picture.width, face.box.height * picture.height);
  const { turn, eyes } = computePose(face, picture);
  const isFounding =
    side >= minSidePx &&
    face.score >= minScore &&
    face.sharpness >= minSharpness &&
    turn <= maxYaw &&
    eyes >= minEyeDistance;
  const size = Math.min(1, side / fullQualityPx);
  const frontal = Math.max(0, 1 - turn);
  const sharp = Math.min(1, face.sharpness / (4 * minSharpness));
  return { quality: (isFounding ? 0.5 : 0) + 0.5 * face.score * Math.sqrt(size * frontal * sharp), isFounding };
};

/**
 * `turn`: distance of the nose from the middle between the eyes, along the line through the eyes, as a fraction of the distance between them. `eyes`:
 * distance between the eyes, as a fraction of the width of the face.
 */
const computePose = (
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
const paddingFactor = 1.8;

/** Returns the square around a face, moved and shrunk to lie inside the picture. Fractions of the upright picture. */
export const getThumbnailArea = (box: PicturePart, { width, height }: PictureSize): PicturePart => {
  const side = Math.min(width, height, paddingFactor * Math.max(box.width * width, box.height * height));
  return {
    left: clampStart(box.left + box.width / 2, side / width),
    top: clampStart(box.top + box.height / 2, side / height),
    width: side / width,
    height: side / height,
  };
};

/** Returns the start of a span with this middle and length, clamped so that the span lies in [0, 1]. */
const clampStart = (middle: number, length: number): number => Math.max(0, Math.min(1 - length, middle - length / 2));
