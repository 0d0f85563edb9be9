import { cutMiddle } from '../pixels/cutMiddle.ts';
import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { imageNetRgb, outputOf, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

/** What a whole picture may show. */
export interface Scene {
  /** A line of synset.txt, counted from 0. */
  readonly kind: number;
  /** 0 to 1; those of all kinds add up to 1. */
  readonly probability: number;
}

/** The shorter side of the picture, and the sides of the part in its middle, in pixels. */
const [shorterSide, partSide] = [256, 224];

/** The most likely kinds that are answered; the others are noise. */
const mostKinds = 5;

/** Says what a picture shows as a whole, the most likely first, with ShuffleNet v2. What is not in the middle of a long picture is not seen. */
export async function recogniseScene(run: RunModel, pixels: RgbPixels): Promise<Scene[]> {
  const outputs = await run('shufflenet-v2-int8', { input: prepareScene(pixels) });
  return readScene(outputOf(outputs, 'output'));
}

/** The middle of the picture as the model takes it. */
export const prepareScene = (pixels: RgbPixels): Tensor =>
  toTensor(cutMiddle(pixels, shorterSide, partSide), imageNetRgb);

/** The most likely kinds by their logits. */
export function readScene({ data }: Tensor): Scene[] {
  const highest = data.reduce((most, each) => Math.max(most, each), -Infinity);
  const weights = Float64Array.from(data, (logit) => Math.exp(logit - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Array.from(weights, (weight, kind) => ({ kind, probability: weight / sum }))
    .toSorted((a, b) => b.probability - a.probability)
    .slice(0, mostKinds);
}
