import { cutMiddle } from '../pixels/cutMiddle.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { imageNetRgb, getOutput, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

/** A class of a whole picture. */
export interface Scene {
  /** Line number in synset.txt, from 0. */
  readonly kind: number;
  /** 0 to 1; the sum over all kinds is 1. */
  readonly probability: number;
}

/** Shorter side of the scaled picture, and side of the square cut from its middle, in pixels. */
const [shorterSide, partSide] = [256, 224];

/** Number of kinds to return; the rest is noise. */
const maxKinds = 5;

/**
 * Classifies a picture with ShuffleNet v2, the most likely class first. Ignores the ends of a long picture.
 */
export async function recogniseScene(run: RunModel, pixels: RgbPixels): Promise<Scene[]> {
  const outputs = await run('shufflenet-v2-int8', { input: prepareScene(pixels) });
  return readScene(getOutput(outputs, 'output'));
}

/** Cuts the middle of the picture for the model. */
export const prepareScene = (pixels: RgbPixels): Tensor =>
  toTensor(cutMiddle(pixels, shorterSide, partSide), imageNetRgb);

/** Returns the most likely kinds, by softmax of the logits. */
export function readScene({ data }: Tensor): Scene[] {
  const highest = data.reduce((max, each) => Math.max(max, each), -Infinity);
  const weights = Float64Array.from(data, (logit) => Math.exp(logit - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Array.from(weights, (weight, kind) => ({ kind, probability: weight / sum }))
    .toSorted((a, b) => b.probability - a.probability)
    .slice(0, maxKinds);
}
