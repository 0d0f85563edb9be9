import { cutBox, suppressOverlaps, type Candidate } from '../pixels/boxes.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { outputOf, plainBgr, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

/** A thing in a picture, in pixels of it. */
export interface FoundObject extends Candidate {
  /** A line of coco_classes.txt, counted from 0. */
  readonly kind: number;
}

/** The sides of the picture in which things are found, in pixels. */
export const objectsSide = 416;

/** Below this a thing is noise. Which of them are told to people is for their component to choose: at 0.3 four of five are found (2026-11). */
const minScore = 0.3;

/** The model's own bound for two boxes of one thing. */
const maxShare = 0.45;

/** The sides of the cells in which the model looks, in pixels. */
const strides = [8, 16, 32] as const;

/** The grey around the picture with which the model was trained. */
const grey = 114;

/** Finds things, surest first, with YOLOX-nano. `pixels` has a longer side of at most `objectsSide`. */
export async function detectObjects(run: RunModel, pixels: RgbPixels): Promise<FoundObject[]> {
  const outputs = await run('yolox-nano', { images: prepareObjects(pixels) });
  return readObjects(outputOf(outputs, 'output'), pixels);
}

/** The picture at the upper left of the square that the model takes. */
export const prepareObjects = (pixels: RgbPixels): Tensor =>
  toTensor(pixels, plainBgr, { width: objectsSide, height: objectsSide, fill: grey });

/** The things that the output tells of a picture of this size. */
export function readObjects(
  { data, dims }: Tensor,
  { width, height }: { width: number; height: number },
): FoundObject[] {
  const perCell = dims[2]!;
  const found = new Map<number, FoundObject[]>();
  let at = 0;
  for (const stride of strides) {
    const cells = objectsSide / stride;
    for (let cell = 0; cell < cells * cells; cell += 1, at += perCell) {
      // In nearly all cells there is nothing.
      if (data[at + 4]! < minScore) continue;
      const best = bestKind(data.subarray(at + 5, at + perCell));
      const score = data[at + 4]! * best.score;
      if (score < minScore) continue;
      const [column, row] = [cell % cells, Math.floor(cell / cells)];
      const [x, y] = [(column + data[at]!) * stride, (row + data[at + 1]!) * stride];
      const [w, h] = [Math.exp(data[at + 2]!) * stride, Math.exp(data[at + 3]!) * stride];
      const box = cutBox({ left: x - w / 2, top: y - h / 2, width: w, height: h }, width, height);
      const ofKind = found.get(best.kind) ?? [];
      found.set(best.kind, [...ofKind, { kind: best.kind, score, box }]);
    }
  }
  return [...found.values()]
    .flatMap((ofKind) => suppressOverlaps(ofKind, maxShare))
    .toSorted((a, b) => b.score - a.score);
}

const bestKind = (scores: Float32Array): { readonly kind: number; readonly score: number } => {
  let kind = 0;
  for (let i = 1; i < scores.length; i += 1) if (scores[i]! > scores[kind]!) kind = i;
  return { kind, score: scores[kind]! };
};
