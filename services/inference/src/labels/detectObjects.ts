import { cutBox, suppressOverlaps, type Candidate } from '../pixels/boxes.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { getOutput, plainBgr, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

/** A detected object, in pixels of the picture. */
export interface FoundObject extends Candidate {
  /** Line number in coco_classes.txt, from 0. */
  readonly kind: number;
}

/** Side of the model's square input, in pixels. */
export const objectsSide = 416;

/**
 * Minimum score; lower ones are noise. For display, `thingThresholds` apply. At 0.3, four of five objects are found
 * (2026-11).
 */
const minScore = 0.3;

/** Maximum intersection over union of two objects of a kind, from the model's authors. */
const maxShare = 0.45;

/** Sides of the model's cells, in pixels. */
const strides = [8, 16, 32] as const;

/** The grey padding that the model was trained with. */
const grey = 114;

/** Detects objects with YOLOX-nano, sorted by score. The longer side of `pixels` is at most `objectsSide`. */
export async function detectObjects(run: RunModel, pixels: RgbPixels): Promise<FoundObject[]> {
  const outputs = await run('yolox-nano', { images: prepareObjects(pixels) });
  return readObjects(getOutput(outputs, 'output'), pixels);
}

/** Places the picture in the upper left of the model's square input. */
export const prepareObjects = (pixels: RgbPixels): Tensor =>
  toTensor(pixels, plainBgr, { width: objectsSide, height: objectsSide, fill: grey });

/** Decodes the model's output for a picture of this size. */
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
      // Skips nearly all cells early.
      if (data[at + 4]! < minScore) continue;
      const best = bestKind(data.subarray(at + 5, at + perCell));
      const score = data[at + 4]! * best.score;
      if (score < minScore) continue;
      const [column, row] = [cell % cells, Math.floor(cell / cells)];
      const [x, y] = [(column + data[at]!) * stride, (row + data[at + 1]!) * stride];
      const [w, h] = [Math.exp(data[at + 2]!) * stride, Math.exp(data[at + 3]!) * stride];
      const box = cutBox({ left: x - w / 2, top: y - h / 2, width: w, height: h }, width, height);
      const sameKind = found.get(best.kind) ?? [];
      found.set(best.kind, [...sameKind, { kind: best.kind, score, box }]);
    }
  }
  return [...found.values()]
    .flatMap((sameKind) => suppressOverlaps(sameKind, maxShare))
    .toSorted((a, b) => b.score - a.score);
}

const bestKind = (scores: Float32Array): { readonly kind: number; readonly score: number } => {
  let kind = 0;
  for (let i = 1; i < scores.length; i += 1) if (scores[i]! > scores[kind]!) kind = i;
  return { kind, score: scores[kind]! };
};
