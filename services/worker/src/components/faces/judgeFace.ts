import type { Face } from '@hearth/inference/faces/findFaces.ts';
import type { PicturePart } from '../../media/photo/cutOut.ts';

/** What a face is good for. */
export interface JudgedFace {
  /** How well it stands for its person, 0 to 1. */
  readonly quality: number;
  /** Whether it may found a person: not one that is small, blurred, likely drawn, or seen from the side. */
  readonly isFounding: boolean;
}

/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixels of the shorter side of a face at least. The faces of a photo of a crowd have 30 (face-count/faces.jpg), those of portraits in a quarter of
 * their size 48 and more (2026-11).
 */
const minSide = 44;

/** How sure the detector is at least: it takes a drawn face for real with 0.82, and found 10 of 12 faces of a crowd with 0.89 or more (2026-11). */
const minScore = 0.88;

/** The least sharpness: half of the least of 22 portraits and 132 variants of them, of which one in six was scaled to 25 % (2026-11). */
const minSharpness = 0.02;

/**
 * How far the nose may be from the middle between the eyes, as a part of their distance: farther in a profile. This and the next one follow from how
 * a head looks that is turned by more than some 50 degrees; the test media have no profile to measure them by.
 */
const maxTurn = 0.38;

/** The distance of the eyes as a part of the width of the face at least: less in a profile. */
const minEyes = 0.26;

/** More pixels than this make a face no better. */
const enoughPixels = 250;

/** Judges a face by how large, sharp and frontal it is. `picture` is the largest size in which it was seen. */
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

/** `turn`: how far the nose is from the middle between the eyes, along the line through them; `eyes`: their distance as a part of the face. */
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

/** The side of the picture of a face, as a multiple of the longer side of the face: hair, chin and some of what is around belong to it. */
const room = 1.8;

/** The square around a face, moved and made smaller so that it lies in the picture; all in fractions of the upright picture. */
export const framePart = (box: PicturePart, { width, height }: PictureSize): PicturePart => {
  const side = Math.min(width, height, room * Math.max(box.width * width, box.height * height));
  return {
    left: within(box.left + box.width / 2, side / width),
    top: within(box.top + box.height / 2, side / height),
    width: side / width,
    height: side / height,
  };
};

/** Where a span of this length begins whose middle is here, as far as that lies between 0 and 1. */
const within = (middle: number, length: number): number => Math.max(0, Math.min(1 - length, middle - length / 2));
