import { suppressOverlaps, type Candidate } from '../pixels/boxes.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import type { Point } from '../pixels/samplePixels.ts';
import { getOutput, plainBgr, toTensor, type RunModel, type Tensor, type Tensors } from '../pixels/tensor.ts';

/** Longer side of the picture for detection, in pixels. */
export const detectionSide = 640;

/** A detected face, in pixels of the picture. */
export interface FoundFace extends Candidate {
  /** Right eye, left eye, nose, right and left corner of the mouth; right is the person's. */
  readonly landmarks: readonly Point[];
}

/** Minimum score of a face. At 0.7 there is 1 false alarm in 19 photos, a drawn face with a score of 0.82 (2026-11). */
const minScore = 0.7;

/** Maximum intersection over union of two faces, from the model's authors. */
const maxShare = 0.3;

/** Sides of the model's cells, in pixels. */
const strides = [8, 16, 32] as const;

/** Detects faces with YuNet, sorted by score. The longer side of `pixels` is at most `detectionSide`. */
export async function detectFaces(run: RunModel, pixels: RgbPixels): Promise<FoundFace[]> {
  const input = prepareDetection(pixels);
  return readDetection(await run('yunet', { input }), input.dims[3]!);
}

/** Pads the picture with zeros on the right and below, to multiples of 32 pixels, which the model requires. */
export const prepareDetection = (pixels: RgbPixels): Tensor =>
  toTensor(pixels, plainBgr, { width: multipleOf32(pixels.width), height: multipleOf32(pixels.height), fill: 0 });

/** Decodes YuNet's outputs for an input of this width, in pixels. */
export function readDetection(outputs: Tensors, width: number): FoundFace[] {
  const candidates = strides.flatMap((stride) => readCells(outputs, stride, width / stride));
  return suppressOverlaps(candidates, maxShare);
}

const readCells = (outputs: Tensors, stride: number, columns: number): FoundFace[] => {
  const [faceScores, boxScores, boxes, landmarks] = ['cls', 'obj', 'bbox', 'kps'].map(
    (name) => getOutput(outputs, `${name}_${stride}`).data,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const found: FoundFace[] = [];
  for (let cell = 0; cell < faceScores.length; cell += 1) {
    const score = Math.sqrt(fraction(faceScores[cell]!) * fraction(boxScores[cell]!));
    if (score < minScore) continue;
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const at = (x: number, y: number): Point => ({ x: (column + x) * stride, y: (row + y) * stride });
    const centre = at(boxes[4 * cell]!, boxes[4 * cell + 1]!);
    const [width, height] = [Math.exp(boxes[4 * cell + 2]!) * stride, Math.exp(boxes[4 * cell + 3]!) * stride];
    found.push({
      score,
      box: { left: centre.x - width / 2, top: centre.y - height / 2, width, height },
      landmarks: [0, 2, 4, 6, 8].map((i) => at(landmarks[10 * cell + i]!, landmarks[10 * cell + i + 1]!)),
    });
  }
  return found;
};

const fraction = (value: number): number => Math.min(1, Math.max(0, value));

const multipleOf32 = (pixels: number): number => 32 * Math.ceil(pixels / 32);
