import type { ModelName } from '../models/models.ts';
import type { RgbPixels } from './rgbPixels.ts';

/** Numbers with a shape, in row-major order. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** 64-bit integers with a shape, such as tokens. */
export interface IntegerTensor {
  readonly data: BigInt64Array;
  readonly dims: readonly number[];
}

/** The inputs of a model, by name in the manifest. */
export type Inputs = Readonly<Record<string, Tensor | IntegerTensor>>;

/** The outputs of a model, by name in the manifest. */
export type Tensors = Readonly<Record<string, Tensor>>;

/** Runs a model and returns the given outputs, or all. */
export type RunModel = (model: ModelName, inputs: Inputs, outputs?: readonly string[]) => Promise<Tensors>;

/** @throws Error if the model did not return this output */
export const getOutput = (outputs: Tensors, name: string): Tensor => {
  const output = outputs[name];
  if (output === undefined) throw new Error(`The model has no output ${name}.`);
  return output;
};

/** Conversion of colours to model inputs. */
export interface ColourScale {
  readonly order: 'rgb' | 'bgr';
  /** For red, green and blue: input = (colour − mean) ÷ deviation, for colours from 0 to 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** Unchanged colours, in the order of OpenCV. */
export const plainBgr: ColourScale = { order: 'bgr', mean: [0, 0, 0], deviation: [1, 1, 1] };

/** For models trained on ImageNet (https://docs.pytorch.org/vision/stable/models.html). */
export const imageNetRgb: ColourScale = {
  order: 'rgb',
  mean: [0.485 * 255, 0.456 * 255, 0.406 * 255],
  deviation: [0.229 * 255, 0.224 * 255, 0.225 * 255],
};

/** For models trained like CLIP (https://github.com/openai/CLIP/blob/main/clip/clip.py). */
export const clipRgb: ColourScale = {
  order: 'rgb',
  mean: [0.48145466 * 255, 0.4578275 * 255, 0.40821073 * 255],
  deviation: [0.26862954 * 255, 0.26130258 * 255, 0.27577711 * 255],
};

/** −1 to 1, for PP-OCR's models of text lines. */
export const fromMinusOne: ColourScale = {
  order: 'rgb',
  mean: [127.5, 127.5, 127.5],
  deviation: [127.5, 127.5, 127.5],
};

/** The size of a tensor larger than the picture, and the value that fills the rest on the right and below. */
export interface Padding {
  readonly width: number;
  readonly height: number;
  readonly fill: number;
}

/** Converts a picture to a tensor [1, 3, height, width]. */
export function toTensor(
  { data, width, height }: RgbPixels,
  { order, mean, deviation }: ColourScale,
  padding: Padding = { width, height, fill: 0 },
): Tensor {
  const plane = padding.width * padding.height;
  const numbers = new Float32Array(3 * plane);
  if (padding.fill !== 0) numbers.fill(padding.fill);
  const [redPlane, greenPlane, bluePlane] =
    order === 'rgb' ? ([0, plane, 2 * plane] as const) : ([2 * plane, plane, 0] as const);
  const [red, green, blue] = mean;
  const [redScale, greenScale, blueScale] = [1 / deviation[0], 1 / deviation[1], 1 / deviation[2]];
  for (let y = 0; y < height; y += 1) {
    let from = 3 * y * width;
    const end = y * padding.width + width;
    for (let to = y * padding.width; to < end; to += 1, from += 3) {
      numbers[redPlane + to] = (data[from]! - red) * redScale;
      numbers[greenPlane + to] = (data[from + 1]! - green) * greenScale;
      numbers[bluePlane + to] = (data[from + 2]! - blue) * blueScale;
    }
  }
  return { data: numbers, dims: [1, 3, padding.height, padding.width] };
}
