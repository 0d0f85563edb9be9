import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { fromMinusOne, outputOf, toTensor, type RunModel, type Tensor } from '../pixels/tensor.ts';

/** A line that was read. */
export interface RecognisedLine {
  readonly text: string;
  /** The mean of how sure the model is of each character, 0 to 1; 0 without characters. */
  readonly confidence: number;
}

/**
 * The narrowest line that the model is given, in pixels; narrower ones are filled up with grey. It has learned from lines of 320, which take three times as long;
 * of 300 words and signs in the test media it reads the same ones with either (2026-11).
 */
const minWidth = 96;

/** Reads a line of `lineHeight` pixels with PP-OCRv4. `alphabet` is the text of ppocr_keys_v1.txt, by its lines. */
export async function recogniseLine(
  run: RunModel,
  alphabet: readonly string[],
  line: RgbPixels,
): Promise<RecognisedLine> {
  const outputs = await run('ppocr-v4-recognition', { x: prepareLine(line) });
  return readCharacters(outputOf(outputs, 'softmax_11.tmp_0'), alphabet);
}

/** The line with grey at its right. The width is a multiple of 32, so that lines of a like length need the same memory. */
export const prepareLine = (line: RgbPixels): Tensor =>
  toTensor(line, fromMinusOne, {
    width: Math.max(minWidth, 32 * Math.ceil(line.width / 32)),
    height: line.height,
    fill: 0,
  });

/**
 * The text that the model tells step by step (connectionist temporal classification): of each step the likeliest character, where 0 is none,
 * and equal ones in a row are one. Behind the alphabet comes the space.
 */
export function readCharacters({ data, dims }: Tensor, alphabet: readonly string[]): RecognisedLine {
  const [steps, kinds] = [dims[1]!, dims[2]!];
  let text = '';
  let [sum, count, last] = [0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const begin = step * kinds;
    let best = 0;
    for (let kind = 1; kind < kinds; kind += 1) if (data[begin + kind]! > data[begin + best]!) best = kind;
    if (best !== 0 && best !== last) {
      text += alphabet[best - 1] ?? ' ';
      sum += data[begin + best]!;
      count += 1;
    }
    last = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
}
