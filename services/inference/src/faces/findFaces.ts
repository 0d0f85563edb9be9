import { cutBox, relativeBox, type Box } from '../pixels/boxes.ts';
import { pixelsAtMost } from '../pixels/resizePixels.ts';
import { largestOf, longerSide, type PictureSizes, type RgbPixels } from '../pixels/rgbPixels.ts';
import type { Point } from '../pixels/samplePixels.ts';
import { type RunModel, imageNetRgb, outputOf, toTensor } from '../pixels/tensor.ts';
import { alignFace, pixelsPerPixel } from './alignFace.ts';
import { detectFaces, detectionSide, type FoundFace } from './detectFaces.ts';
import { measureSharpness } from './measureSharpness.ts';
import { normalise } from '../embeddings/normalise.ts';

/** A face that was found. Positions are parts of the width and height of the upright picture, 0 to 1 from its upper left corner. */
export interface Face {
  readonly box: Box;
  /** Right eye, left eye, nose, right and left corner of the mouth; right is the person's. A face at the edge may have some outside. */
  readonly landmarks: readonly Point[];
  /** How sure it is that it is a face, 0.7 to 1. */
  readonly score: number;
  /** How sharp the face is, 0 to about 0.3, see `measureSharpness`. */
  readonly sharpness: number;
  /** 128 numbers, of length 1 together. */
  readonly embedding: Float32Array;
}

/**
 * Finds the faces of a picture, surest first. The pipeline:
 * 1. detect: YuNet, at 640 pixels;
 * 2. align: by five landmarks, out of the size in which the face has at least as many pixels as its embedding is made from;
 * 3. embed: MobileFaceNet, one face after the other, so that a picture of 500 faces takes time and no memory.
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

/** The smallest size in which the face need not be enlarged, else the largest, and the landmarks in it. */
const chooseSize = (
  sizes: PictureSizes,
  seen: RgbPixels,
  { landmarks }: FoundFace,
): { readonly pixels: RgbPixels; readonly landmarks: readonly Point[] } => {
  const density = pixelsPerPixel(landmarks) / longerSide(seen);
  const [pixels = largestOf(sizes)] = [seen, ...sizes]
    .filter((each) => density * longerSide(each) >= 1)
    .toSorted((a, b) => longerSide(a) - longerSide(b));
  return { pixels, landmarks: scalePoints(landmarks, pixels.width / seen.width, pixels.height / seen.height) };
};

const scalePoints = (points: readonly Point[], x: number, y: number): Point[] =>
  points.map((point) => ({ x: x * point.x, y: y * point.y }));

/** The embedding of an aligned face: 128 numbers, of length 1 together. The cosine of two is how alike the faces are, −1 to 1. */
async function embedFace(run: RunModel, aligned: RgbPixels): Promise<Float32Array> {
  const outputs = await run('mobilefacenet', { input0: toTensor(aligned, imageNetRgb) });
  return normalise(outputOf(outputs, 'output0').data);
}
