import { cutBox, relativeBox, type Box } from '../pixels/boxes.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import { findLargest, longerSide, type PictureSizes, type RgbPixels } from '../pixels/rgbPixels.ts';
import type { Point } from '../pixels/samplePixels.ts';
import { type RunModel, imageNetRgb, getOutput, toTensor } from '../pixels/tensor.ts';
import { alignFace, pixelsPerPixel } from './alignFace.ts';
import { detectFaces, detectionSide, type FoundFace } from './detectFaces.ts';
import { measureSharpness } from './measureSharpness.ts';
import { normalise } from '../embeddings/normalise.ts';

/** A detected face. Positions are fractions of the upright picture's width and height, from its upper left corner. */
export interface Face {
  readonly box: Box;
  /**
   * Right eye, left eye, nose, right and left corner of the mouth; right is the person's. Some may lie outside of the
   * picture.
   */
  readonly landmarks: readonly Point[];
  /** The confidence of the detection, 0.7 to 1. */
  readonly score: number;
  /** Sharpness, 0 to about 0.3, see `measureSharpness`. */
  readonly sharpness: number;
  /** 128 numbers, normalized to length 1. */
  readonly embedding: Float32Array;
}

/**
 * Finds the faces of a picture, sorted by score.
 * 1. Detect: YuNet, at 640 pixels.
 * 2. Align: by five landmarks, from a size that gives the face at least as many pixels as the embedding model needs.
 * 3. Embed: MobileFaceNet, one face at a time, so that a picture of 500 faces takes more time but no more memory.
 */
export async function findFaces(run: RunModel, sizes: PictureSizes): Promise<Face[]> {
  const seen = pixelsAtMost(sizes, detectionSide);
  const faces: Face[] = [];
  for (const found of await detectFaces(run, seen)) {
    const { pixels, landmarks } = chooseSize(sizes, seen, found);
    const aligned = alignFace(pixels, landmarks);
    faces.push({
      box: relativeBox(cutBox(found.box, seen.width, seen.height), seen),
      landmarks: scalePoints(found.landmarks, 1 / seen.width, 1 / seen.height),
      score: found.score,
      sharpness: measureSharpness(aligned),
      embedding: await embedFace(run, aligned),
    });
  }
  return faces;
}

/**
 * Returns the smallest size that does not require enlarging the face, otherwise the largest one, with the landmarks in
 * this size.
 */
const chooseSize = (
  sizes: PictureSizes,
  seen: RgbPixels,
  { landmarks }: FoundFace,
): { readonly pixels: RgbPixels; readonly landmarks: readonly Point[] } => {
  const density = pixelsPerPixel(landmarks) / longerSide(seen);
  const [pixels = findLargest(sizes)] = [seen, ...sizes]
    .filter((each) => density * longerSide(each) >= 1)
    .toSorted((a, b) => longerSide(a) - longerSide(b));
  return { pixels, landmarks: scalePoints(landmarks, pixels.width / seen.width, pixels.height / seen.height) };
};

const scalePoints = (points: readonly Point[], x: number, y: number): Point[] =>
  points.map((point) => ({ x: x * point.x, y: y * point.y }));

/**
 * Returns the embedding of an aligned face: 128 numbers, normalized to length 1. The cosine of two is their similarity,
 * −1 to 1.
 */
async function embedFace(run: RunModel, aligned: RgbPixels): Promise<Float32Array> {
  const outputs = await run('mobilefacenet', { input0: toTensor(aligned, imageNetRgb) });
  return normalise(getOutput(outputs, 'output0').data);
}
